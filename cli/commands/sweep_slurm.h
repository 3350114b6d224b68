// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweep/engines/sharded_sweep.h"
#include "sweep/plan.h"

namespace shflsim::cli {

/// What `sweep --slurm` submits.
struct SlurmOrder {
  std::vector<std::string> sbatch;  ///< the user's options for sbatch
  bool only_missing = false;
  bool retries = false;
};

/// Submits an array job of the shards and a job that merges them, and says so. Returns an
/// ExitStatus. Throws InputError if Slurm takes neither, or shards are queued already.
int submit_to_slurm(const sweep::ShardedSweep& sweep, const sweep::PlannedSweep& plan,
                    const SlurmOrder& order);

}  // namespace shflsim::cli
