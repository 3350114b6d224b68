// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "sweep/engines/sharded_sweep.h"

namespace shflsim::sweep {

/// The folder of a sweep's scripts and logs: "/data/out.slurm" for "/data/out.sqlite".
std::string slurm_folder(const ShardedSweep& sweep);
/// The script of an array job whose tasks are these shards. Throws InputError for a folder that
/// cannot be used in the names of Slurm's log files.
std::string slurm_shards_script(const ShardedSweep& sweep, const std::vector<size_t>& shards);
/// The script of the job that merges the existing results after the shards have ended.
std::string slurm_merge_script(const ShardedSweep& sweep);

/// The shards of a sweep that Slurm has queued or is running.
struct QueuedShards {
  std::set<size_t> shards;     ///< queued or running
  std::set<std::string> jobs;  ///< numbers of their array jobs
};
/// Throws InputError.
QueuedShards queued_shards(const std::string& job_name);
/// Throws InputError if this cluster's arrays cannot have this number of tasks.
void check_array_size(size_t shards);
/// Submits a script with these options, which override its own, and returns the job's number.
/// Throws InputError with the message of sbatch.
std::string submit(const std::vector<std::string>& options, const std::string& script);
/// Cancels a job.
void cancel(const std::string& job);

}  // namespace shflsim::sweep
