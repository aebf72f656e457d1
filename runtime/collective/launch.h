//===- launch.h - What a launcher says of a process -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_LAUNCH_H
#define KILN_COLLECTIVE_LAUNCH_H

#include "kiln/group.h"
#include "runtime/collective/rendezvous.h"

namespace kiln::rt {

/// Rank and world size of this process, and the rendezvous of the ranks.
struct Launch {
  uint32_t rank = 0;
  uint32_t size = 0;             ///< 0: no launcher was found
  std::string launcher;          ///< "mpirun"; empty: the caller gave rank and size
  std::string place;             ///< rendezvous name, equal on all ranks; empty: unknown
  bool isOfSeveralNodes = false; ///< ranks on several nodes share no memory
  StoreAddress store;            ///< where rank 0 listens for ranks of other nodes
};

/// Reads the variables of torchrun, Open MPI (mpirun) or Slurm (srun), the first one
/// found; srun is last, as it also starts processes for other launchers. place: from
/// MASTER_ADDR and MASTER_PORT, or else from the launcher's name of the job. Errors:
/// KILN-E0001 (a variable is missing or no number).
Status findLaunch(Launch &out);

/// Takes rank and size from the caller's options or, if these have no size, from the
/// launcher as above. Also fails if the rank or the rendezvous is unknown.
Status findLaunch(const kiln_join_options &wanted, Launch &out);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_LAUNCH_H
