//===- Async.h - Buffers, barriers and products in flight -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sequential meaning of TileAsyncOps.td, watched: the producer and the consumers run
// in turn, each until it waits for a barrier, and every access to a stage of a buffer
// must be ordered by the barriers, whoever runs first. Internal to lib/Interpreter.
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

/// One mbarrier (PTX ISA, "mbarrier"): a phase is complete when `needed` arrivals and all
/// announced bytes have come.
struct Barrier {
  int64_t needed = 0, arrived = 0, bytes = 0, phases = 0;
  int64_t consumed = 0; ///< the consumers' clock that its arrivals brought so far
  std::array<int64_t, 2> waited{}; ///< phases that each side has waited for

  void completeIfDone() {
    if (arrived == needed && bytes == 0) {
      arrived = 0;
      ++phases;
    }
  }
  bool isComplete(int64_t parity) const { return (phases & 1) != parity; }
};

/// How far a copy by the threads of the block is (tile.issue_copy): each has waited for
/// its own part, and all have met since.
enum class CopyProgress { None, InFlight, Complete, Visible };

/// One stage of a multistage buffer, and who may touch it.
struct Stage {
  std::vector<Scalar> elements;
  Barrier *barrier = nullptr; ///< that its last copy counts for; null: none yet
  int64_t phase = 0;          ///< of that barrier
  int64_t readers = 0;        ///< groups of products in flight that read it
  int64_t readDone = 0;       ///< the consumers' clock when the last of them was complete
  bool isReleased = false;    ///< by the consumers, since its last copy
  std::vector<bool> written;  ///< elements, since a store last copied them
  int64_t storing = 0;        ///< stores in flight that read it
  CopyProgress copy = CopyProgress::None;
  int64_t lastRead = -1; ///< by a product, behind that many meetings of the threads
};

struct MultistageBuffer {
  int64_t rows = 0, columns = 0;
  std::vector<Stage> stages;
};

struct BufferHandle {
  std::shared_ptr<MultistageBuffer> buffer;
};
/// A stage as an operand of tile.mma.
struct StageHandle {
  std::shared_ptr<MultistageBuffer> buffer;
  Stage *stage;
};
struct BarrierHandle {
  std::shared_ptr<std::vector<Barrier>> barriers;
  /// Buffers whose stages they are the release of.
  std::shared_ptr<std::vector<std::shared_ptr<MultistageBuffer>>> released;
};

/// Copies that all threads of a block issue.
struct CopyState {
  using Group = std::vector<std::shared_ptr<Stage>>;
  Group open;               ///< issued since the last commit
  std::deque<Group> groups; ///< in flight, in the order of their commits
  Group complete;           ///< waited for since the threads last met
  int64_t meetings = 0;
};

/// A group of products that has been issued.
struct Group {
  std::vector<Stage *> read;
  mlir::Value left; ///< an operand in registers that it reads; null: none
};

/// Lets two threads run in turn.
class Turns {
public:
  /// Blocks until it is this side's turn.
  void take(Side side);
  /// Lets the other side run, and comes back when it waits or is over. False if neither
  /// can go on, or one has failed.
  bool pass(Side side);
  void progress() { checks = 0; }
  void finish(Side side);
  void fail() { failed = true; }

private:
  std::mutex mutex;
  std::condition_variable changed;
  Side turn = Side::Consumer;
  std::array<bool, 2> over{};
  int checks = 0; ///< waits in a row that found nothing new
  bool failed = false;
};

/// The state of one run of a tile.warp_specialize.
struct AsyncState {
  Turns turns;
  Side side = Side::Consumer; ///< that runs now
  int64_t clock = 0;          ///< of the consumers: releases so far
  int64_t seen = 0;           ///< of it, by the producer
  int64_t warps = 1;          ///< of the consumers
  std::vector<Group> groups;  ///< in the order of their issue
  size_t completed = 0;       ///< of them
  std::vector<Stage *>
      stores; ///< that asynchronous stores read, in the order of their issue
  size_t storesRead = 0, storesWritten = 0; ///< of them: that are done with it, in memory
  bool isInOrder = false; ///< the consumers are between tile.wait_order and arrive_order
};

} // namespace kiln::interpreter

#endif // KILN_LIB_INTERPRETER_ASYNC_H
