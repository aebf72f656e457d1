//===- Async.h - Buffers, barriers, asynchronous MMAs -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs TileAsyncOps.td sequentially and checks synchronization: the producer and the
// consumers alternate, each runs until it waits for a barrier, and every access to a
// stage of a buffer must be ordered by barriers, whichever side runs first. Internal to
// lib/Interpreter.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_INTERPRETER_ASYNC_H
#define KILN_LIB_INTERPRETER_ASYNC_H

#include <array>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "Scalar.h"
#include "mlir/IR/Value.h"

namespace kiln::interpreter {

enum class Side { Consumer, Producer };

/// One mbarrier (PTX ISA, "mbarrier"): a phase completes when `needed` arrivals and all
/// expected bytes have come.
struct Barrier {
  int64_t needed = 0, arrived = 0, bytes = 0, phases = 0;
  int64_t consumed = 0;            ///< the consumers' clock at their last arrival here
  std::array<int64_t, 2> waited{}; ///< phases that each side has waited for

  void completeIfDone() {
    if (arrived == needed && bytes == 0) {
      arrived = 0;
      ++phases;
    }
  }
  bool isComplete(int64_t parity) const { return (phases & 1) != parity; }
};

/// State of a copy by the threads of the block (tile.issue_copy). Complete: each thread
/// has waited for its own part; Visible: a barrier followed.
enum class CopyProgress { None, InFlight, Complete, Visible };

/// One stage of a multistage buffer, with the state that access checks need.
struct Stage {
  std::vector<Scalar> elements;
  Barrier *barrier = nullptr; ///< of its last copy; null: no copy yet
  int64_t phase = 0;          ///< phase of that barrier
  int64_t readers = 0;        ///< MMA groups in flight that read it
  int64_t readDone = 0;       ///< the consumers' clock when the last of them completed
  bool isReleased = false;    ///< by the consumers, since its last copy
  std::vector<bool> written;  ///< elements written since they were last stored
  int64_t storing = 0;        ///< stores in flight that read it
  CopyProgress copy = CopyProgress::None;
  int64_t lastRead = -1; ///< barriers of the block before an MMA last read it
};

struct MultistageBuffer {
  int64_t rows = 0, columns = 0;
  std::vector<Stage> stages;
};

struct BufferHandle {
  std::shared_ptr<MultistageBuffer> buffer;
};
/// A stage as operand of tile.mma.
struct StageHandle {
  std::shared_ptr<MultistageBuffer> buffer;
  Stage *stage;
};
struct BarrierHandle {
  std::shared_ptr<std::vector<Barrier>> barriers;
  /// Buffers whose stages are released by arrivals at these barriers.
  std::shared_ptr<std::vector<std::shared_ptr<MultistageBuffer>>> released;
};

/// Copies that all threads of a block issue (cp.async).
struct CopyState {
  using Group = std::vector<std::shared_ptr<Stage>>;
  Group open;               ///< issued since the last commit
  std::deque<Group> groups; ///< in flight, in commit order
  Group complete;           ///< waited for since the block's last barrier
  int64_t meetings = 0;
};

/// A group of MMAs that has been issued.
struct Group {
  std::vector<Stage *> read;
  mlir::Value left; ///< operand A in registers; null: none
};

/// Lets two threads alternate, so that one runs at a time.
class Turns {
public:
  /// Blocks until it is this side's turn.
  void take(Side side);
  /// Lets the other side run; returns when it waits or has finished. False if neither can
  /// continue, or one has failed.
  bool pass(Side side);
  void progress() { checks = 0; }
  void finish(Side side);
  void fail() { failed = true; }

private:
  std::mutex mutex;
  std::condition_variable changed;
  Side turn = Side::Consumer;
  std::array<bool, 2> over{};
  int checks = 0; ///< consecutive waits without progress
  bool failed = false;
};

/// State of one execution of a tile.warp_specialize.
struct AsyncState {
  Turns turns;
  Side side = Side::Consumer;  ///< the side that runs now
  int64_t clock = 0;           ///< of the consumers: number of releases so far
  int64_t seen = 0;            ///< clock value that the producer has waited for
  int64_t warps = 1;           ///< number of consumer warps
  std::vector<Group> groups;   ///< in issue order
  size_t completed = 0;        ///< number of completed groups
  std::vector<Stage *> stores; ///< read by asynchronous stores, in issue order
  size_t storesRead = 0, storesWritten = 0; ///< that are done reading; complete
  bool isInOrder = false; ///< the consumers are between tile.wait_order and arrive_order
};

} // namespace kiln::interpreter

#endif // KILN_LIB_INTERPRETER_ASYNC_H
