//===- detector.h - The race detector of a launch ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes the interpreter's events to the race engine and collects the problems it finds.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_DETECTOR_H
#define KILN_SIM_CHECK_DETECTOR_H

#include "runtime/sim/check/findings.h"
#include "runtime/sim/check/race_engine.h"
#include "runtime/sim/exec/observer.h"

#include <deque>
#include <map>

namespace kiln::sim::check {

/// Global memory that detectors watch: that of one launch, or of launches that may run
/// concurrently.
struct WatchedMemory {
  struct Watched {
    std::unique_ptr<Shadow> shadow;
    std::weak_ptr<Allocation> allocation;
  };
  std::unique_ptr<Domain> domain;
  std::unordered_map<uint64_t, Watched> shadows; ///< by serial
};

/// State shared by the race detectors of concurrent launches on peer devices. It lives as
/// long as the address space, so a launch is also compared with earlier ones that are not
/// ordered before it.
struct PeerWorld {
  struct Launched {
    uint32_t first = 0, blocks = 0; ///< numbers of the launch's blocks
    std::string kernel;
    std::array<uint32_t, 3> grid = {};
    std::shared_ptr<const Code> code;
    ClockPtr end; ///< final clock of its threads for other devices; null while it runs
  };

  std::recursive_mutex mutex; ///< guards everything here
  World world;
  WatchedMemory memory;
  OverBlocks blocks = {}; ///< blocks launched so far, by device
  std::vector<Launched> launches;
};

class RaceDetector final : public exec::Observer {
public:
  explicit RaceDetector(exec::Grid &grid);

  bool access(const exec::WarpAccess &access) override;
  bool access(const exec::RangeAccess &access) override;
  bool accessEach(const exec::RangeAccess &access, const uint32_t *offsets,
                  size_t count) override;
  bool accessWindow(const exec::WindowAccess &access) override;
  bool release(const exec::Origin &origin, const exec::SyncKey &key,
               exec::Scope scope) override;
  bool acquire(const exec::Origin &origin, const exec::SyncKey &key,
               exec::Scope scope) override;
  bool fence(const exec::Origin &origin, exec::Scope scope, bool proxy) override;
  uint64_t startAgent(const exec::Origin &origin, exec::Proxy proxy) override;
  bool continueAgent(const exec::Origin &origin, uint64_t agent) override;
  void finishAgent(uint64_t agent, const exec::SyncKey &key) override;
  bool acquireAgent(const exec::Origin &origin, uint64_t agent) override;
  void startBlock(exec::Block &block) override;
  void finishBlock(exec::Block &block) override;
  void finishLaunch(Outcome &outcome) override;

private:
  /// Clocks released at the last few generations of a barrier (phases of an mbarrier).
  /// Several are kept: slow warps still acquire from one generation when fast warps
  /// arrive at the next.
  struct Generations {
    std::map<uint64_t, Knowledge> each;
    Knowledge &at(uint64_t generation);
  };
  struct ClusterRecord {
    std::unique_ptr<Domain> domain; ///< of the cluster's shared memory
    Generations barrier;
    std::unordered_map<const void *, Generations> mbarriers; ///< by host address
  };
  /// One wgmma operation of a warpgroup: a warp that waits for its part waits for all
  /// four.
  struct Product {
    std::vector<uint64_t> agents;
    unsigned waits = 0;
    Knowledge finished; ///< clocks of the agents of operations `from` to this one
    uint64_t from = ~uint64_t(0);
  };
  using ProductKey = std::pair<uint32_t, uint64_t>; ///< warpgroup, number
  struct BlockRecord {
    BlockClocks clocks;
    ClusterRecord *cluster = nullptr;
    std::unique_ptr<Shadow> shared;
    std::array<Generations, exec::BlockBarriers> barriers;
    struct WarpRecord {
      uint64_t products = 0;
    };
    std::vector<WarpRecord> warps;
    std::map<ProductKey, Product> products;
    std::deque<uint64_t> finished; ///< agents that signalled an mbarrier, oldest first
    std::vector<uint64_t> agents;
  };
  struct AgentRecord {
    Agent agent;
    BlockRecord *block = nullptr;
    Mask waiting = 0; ///< lanes that have not waited for the agent's work
    bool isProduct = false, done = false;
    ProductKey product; ///< the first operation
    uint64_t last = 0;  ///< number of the last operation
  };

  static BlockRecord *recordOf(const exec::Block &block) {
    return static_cast<BlockRecord *>(block.races);
  }
  static BlockRecord &recordOf(const exec::Origin &origin) {
    return *recordOf(*origin.block);
  }
  WarpClock &clockOf(const exec::Origin &origin) {
    return recordOf(origin).clocks.warps[origin.warp];
  }
  Shadow *shadowOf(const exec::Place &place, Domain *&domain);
  std::unique_lock<std::recursive_mutex> enter() const;
  void joinPeers();
  ClockPtr endOf(size_t device, uint32_t over) const;
  void learnFrom(BlockRecord &record);
  BlockOrigin originOf(uint32_t block) const;
  Shadow *globalShadow(const Allocation &allocation);
  std::unique_ptr<Domain> freshDomain();
  AgentRecord *findAgent(uint64_t agent);
  void addRange(const exec::Place &place, uint64_t more, Mask lanes, Shadow *shadow,
                Domain *domain);
  Touch touchOf(const exec::Origin &origin, const exec::AccessTraits &traits);
  bool touch(const exec::Origin &origin, const Touch &touch, uint64_t bytes);
  bool report(const exec::Origin &origin, const Touch &touch);
  Generations *generationsOf(BlockRecord &block, const exec::SyncKey &key);
  Generations &mbarrierAt(BlockRecord &block, const exec::SyncKey &key);
  void learn(const exec::Origin &origin, AgentRecord &record);
  void addProduct(BlockRecord &block, AgentRecord &record, uint64_t agent,
                  uint64_t number);
  Knowledge &finishedProducts(AgentRecord &record);
  void learnProduct(const exec::Origin &origin, AgentRecord &record);
  void checkExit(BlockRecord &record, exec::Block &block);
  void touchMbarrier(const exec::Origin &origin, const void *bytes);
  void forget(uint64_t agent);

  exec::Grid &grid;
  std::shared_ptr<PeerWorld> peers; ///< null: the device has no peers
  RaceEngine engine;
  WatchedMemory ownMemory;
  WatchedMemory &memory; ///< of this launch, or shared with its peers
  uint32_t firstBlock = 0;
  ClockPtr start;    ///< initial clock of the launch's blocks
  ClockPtr end;      ///< final clock of the launch's blocks for other devices
  size_t number = 0; ///< index of the launch among those of its peers
  struct LastShadow {
    uint64_t serial = 0;
    Shadow *shadow = nullptr;
  };
  std::array<LastShadow, 8> lastShadows;             ///< cache, by serial
  std::vector<std::unique_ptr<Domain>> spareDomains; ///< of clusters that have exited,
                                                     ///< for reuse
  std::unordered_map<const exec::Block *, BlockRecord> blocks;
  std::unordered_map<const exec::Cluster *, ClusterRecord> clusters;
  std::unordered_map<uint64_t, AgentRecord> agents;
  uint64_t lastAgent = 0; ///< the last one looked up; 0: none
  AgentRecord *lastAgentRecord = nullptr;
  uint64_t nextAgent = 0;
  Findings findings;
  /// Scratch of the access in progress.
  std::vector<Range> globalRanges, sharedRanges;
  Domain *sharedDomain = nullptr;
  std::vector<Problem> problems;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_DETECTOR_H
