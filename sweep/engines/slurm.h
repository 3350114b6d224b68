// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "sweep/engines/sharded_sweep.h"

namespace shflsim::sweep {

/// The folder of a sweep's scripts and logs: "/data/out.slurm" of "/data/out.sqlite".
std::string slurm_folder(const ShardedSweep& sweep);
/// The script of an array job whose tasks are these shards. Throws InputError for a folder that
/// Slurm takes no log files in.
std::string slurm_shards_script(const ShardedSweep& sweep, const std::vector<size_t>& shards);
/// The script of the job that merges the results that exist once the shards have ended.
std::string slurm_merge_script(const ShardedSweep& sweep);

/// What Slurm has in hand of a sweep.
struct QueuedShards {
  std::set<size_t> shards;     ///< queued or running
  std::set<std::string> jobs;  ///< numbers of the array jobs that they are of
};
/// Throws InputError.
QueuedShards queued_shards(const std::string& job_name);
/// Throws InputError if this cluster's arrays cannot have this number of tasks.
void check_array_size(size_t shards);
/// Submits a script with these options over its own, and returns the number of the job. Throws
/// InputError with what sbatch says.
std::string submit(const std::vector<std::string>& options, const std::string& script);
/// Takes a job back.
void cancel(const std::string& job);

}  // namespace shflsim::sweep
