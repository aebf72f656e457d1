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

/// Which rank of how many this process is, and where they meet.
struct Launch {
  uint32_t rank = 0;
  uint32_t size = 0;    ///< 0: there is no launcher
  std::string launcher; ///< "mpirun"; empty: the caller says
  std::string place;    ///< the same for all ranks of a job; empty: unknown
  bool isOfSeveralNodes = false; ///< so that ranks share no memory
  StoreAddress store;            ///< where rank 0 listens if there are several nodes
};

/// Reads the variables of torchrun, Open MPI (mpirun) or Slurm (srun), of the first of
/// these that is there: srun is last, as it also starts processes for other launchers.
/// place: from MASTER_ADDR and MASTER_PORT, or else from the launcher's name of the job.
/// Errors: KILN-E0001 (a variable is missing or no number).
Status findLaunch(Launch &out);

/// Finds the launch from the caller's options or, without a size in these, as above.
/// Errors also if nothing says which rank this process is, or where the ranks meet.
Status findLaunch(const kiln_join_options &wanted, Launch &out);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_LAUNCH_H
