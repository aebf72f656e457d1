//===- Simulator.h - Discrete-event simulation ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A discrete-event simulation of a program: each rank runs its steps in order on two
// streams, one of kernels and one of collectives; each transfer of a collective occupies
// its links, and a rank waits for the values it reads. The simulation validates the
// closed form of CostModel.h and makes timelines.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ESTIMATE_SIMULATOR_H
#define KILN_ESTIMATE_SIMULATOR_H

#include "kiln/Estimate/CostModel.h"
#include "llvm/Support/raw_ostream.h"

namespace kiln::estimate {

/// An interval on a track of the timeline.
struct Span {
  unsigned track = 0;
  std::string name;
  double begin = 0, end = 0; ///< seconds
};

struct Timeline {
  double seconds = 0; ///< end of the last rank
  std::vector<std::string>
      tracks; ///< "rank 3", "rank 3 collectives", "link 3 out", "node 0 network 1 out"
  std::vector<Span> spans; ///< filled on request
  /// Seconds of collectives, and the part of them in which kernels waited (exposed), both
  /// summed over all ranks. A rank that enters a collective late makes the others wait as
  /// well.
  double collectives = 0, exposed = 0;
  /// Fraction of the time of collectives in which kernels ran; 0 without collectives.
  double hidden() const {
    return collectives > 0 ? std::max(0.0, 1 - exposed / collectives) : 0;
  }
};

struct SimulationOptions {
  int64_t runs = 1;
  bool recordSpans = false;
};

/// Simulates one program of a workload on all ranks of the mesh.
Timeline simulate(const Program &program, const StagedProgram &staged,
                  const MeshShape &mesh, const Topology &topology,
                  const SimulationOptions &options = {});

/// Writes named timelines one after the other in the format that Chrome and Perfetto read
/// (Trace Event Format).
void writeTrace(llvm::raw_ostream &os,
                llvm::ArrayRef<std::pair<std::string, Timeline>> timelines);

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_SIMULATOR_H
