//===- detector.h - The race detector of a launch ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Feeds the race engine with what the interpreter does, and collects what it finds.
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

/// The global memory that detectors watch: all of a launch, or of launches that may meet.
struct WatchedMemory {
  struct Watched {
    std::unique_ptr<Shadow> shadow;
    std::weak_ptr<Allocation> allocation;
  };
  std::unique_ptr<Domain> domain;
  std::unordered_map<uint64_t, Watched> shadows; ///< by serial
};

/// State of the race detectors of launches on devices that reach each other's memory,
/// which run at the same time. It lives as long as the address space, so a launch is also
/// compared with earlier ones that nothing orders before it.
struct PeerWorld {
  struct Launched {
    uint32_t first = 0, blocks = 0; ///< numbers of its blocks
    std::string kernel;
    std::array<uint32_t, 3> grid = {};
    std::shared_ptr<const Code> code;
    ClockPtr end; ///< what its threads had learnt of other devices; null while it runs
  };

  std::recursive_mutex mutex; ///< guards everything here
  World world;
  WatchedMemory memory;
  OverBlocks blocks = {}; ///< launched so far
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
  /// Knowledge that arrivals left at the last few generations of a barrier (phases of an
  /// mbarrier). Several are kept: slow warps still learn from theirs when fast ones
  /// arrive at the next.
  struct Generations {
    std::map<uint64_t, Knowledge> each;
    Knowledge &at(uint64_t generation);
  };
  struct ClusterRecord {
    std::unique_ptr<Domain> domain; ///< of the shared memory
    Generations barrier;
    std::unordered_map<const void *, Generations> mbarriers; ///< by host byte
  };
  /// The products of a warpgroup are one: whoever waits for its part waits for all.
  struct Product {
    std::vector<uint64_t> agents;
    unsigned waits = 0;
    Knowledge finished; ///< of the agents of the products from `from` to this one
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
    std::deque<uint64_t> finished; ///< agents that told an mbarrier, oldest first
    std::vector<uint64_t> agents;
  };
  struct AgentRecord {
    Agent agent;
    BlockRecord *block = nullptr;
    Mask waiting = 0; ///< lanes that have not waited for it
    bool isProduct = false, done = false;
    ProductKey product; ///< the first
    uint64_t last = 0;  ///< and the number of the last one
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
  std::shared_ptr<PeerWorld> peers; ///< null: its device has none
  RaceEngine engine;
  WatchedMemory ownMemory;
  WatchedMemory &memory; ///< its own, or that of its peers
  uint32_t firstBlock = 0;
  ClockPtr start;    ///< what its blocks know at first
  ClockPtr end;      ///< what they have learnt of other devices
  size_t number = 0; ///< of the launch among those of its peers
  struct LastShadow {
    uint64_t serial = 0;
    Shadow *shadow = nullptr;
  };
  std::array<LastShadow, 8> lastShadows;             ///< by serial
  std::vector<std::unique_ptr<Domain>> spareDomains; ///< of clusters that are gone
  std::unordered_map<const exec::Block *, BlockRecord> blocks;
  std::unordered_map<const exec::Cluster *, ClusterRecord> clusters;
  std::unordered_map<uint64_t, AgentRecord> agents;
  uint64_t lastAgent = 0; ///< looked up; 0: none
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
