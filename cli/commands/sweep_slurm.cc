// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/sweep_slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <set>

#include "cli/options/command.h"
#include "isa/base/input_error.h"
#include "isa/base/out_file.h"
#include "sweep/engines/slurm.h"
#include "sweep/shell_words.h"
#include "sweep/unfinished.h"

namespace shflsim::cli {
namespace {

namespace fs = std::filesystem;
using Shards = std::vector<size_t>;
using Strings = std::vector<std::string>;

/// The folder of the scripts. It is removed if it is empty at the end.
class Folder {
 public:
  explicit Folder(const std::string& path) : path_(path) { fs::create_directories(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code not_empty;
    fs::remove(path_, not_empty);
  }

 private:
  const std::string path_;
};

Shards all_shards(size_t count) {
  Shards shards(count);
  std::iota(shards.begin(), shards.end(), size_t{0});
  return shards;
}

/// The shards to submit, besides those that Slurm has queued or is running.
Shards shards_to_run(const sweep::ShardedSweep& sweep, const sweep::PlannedSweep& plan,
                     const SlurmOrder& order, const std::set<size_t>& queued) {
  if (!order.only_missing) return all_shards(sweep.shards);
  Shards shards = sweep::unfinished_shards(plan, sweep.database, sweep.shards, order.retries);
  const auto is_queued = [&](size_t shard) { return queued.count(shard) != 0; };
  shards.erase(std::remove_if(shards.begin(), shards.end(), is_queued), shards.end());
  return shards;
}

int say_none_missing(const sweep::ShardedSweep& sweep, size_t queued) {
  if (queued != 0) {
    std::cout << fmt::format("nothing else is missing: {} of {} shards are queued or running\n",
                             queued, sweep.shards);
    return kFine;
  }
  const std::string merge = (fs::path(sweep::slurm_folder(sweep)) / "merge.sh").string();
  std::cout << fmt::format(
      "nothing is missing: {} shards have all of the {} points\n"
      "bash {} merges them into {}\n",
      sweep.shards, sweep.points, sweep::shell_word(merge), sweep.database);
  return kFine;
}

void say_submitted(const sweep::ShardedSweep& sweep, size_t shards, const std::string& array,
                   const std::string& merge) {
  std::cout << fmt::format(
      "job {}: {} of {} shards of {} points\n"
      "job {}: merges them into {} when they have ended\n"
      "squeue --job {},{} shows how far they are; their logs and scripts are in {}\n"
      "the same command with --missing submits those again that did not finish\n",
      array, shards, sweep.shards, sweep.points, merge, sweep.database, array, merge,
      sweep::slurm_folder(sweep));
}

/// Submits the merge, which runs after all arrays and after earlier jobs of this name. If Slurm
/// refuses it, cancels the new array.
std::string submit_merge(Strings options, const std::string& array,
                         const std::set<std::string>& before, const std::string& script) {
  std::string dependency = "--dependency=singleton,afterany:" + array;
  for (const std::string& job : before) dependency += ":" + job;
  options.push_back(dependency);
  try {
    return sweep::submit(options, script);
  } catch (const InputError&) {
    sweep::cancel(array);
    throw;
  }
}

/// Submits these shards and their merge; `before` are the earlier jobs to wait for.
void submit_shards(const sweep::ShardedSweep& sweep, const Shards& shards, const SlurmOrder& order,
                   const std::set<std::string>& before) {
  const fs::path path(sweep::slurm_folder(sweep));
  const Folder folder(path.string());
  isa::OutFile shards_file((path / "shards.sh").string());
  isa::OutFile merge_file((path / "merge.sh").string());
  const std::string shards_script = sweep::slurm_shards_script(sweep, shards);
  const std::string merge_script = sweep::slurm_merge_script(sweep);
  const std::string array = sweep::submit(order.sbatch, shards_script);
  const std::string merge = submit_merge(order.sbatch, array, before, merge_script);
  shards_file.finish(shards_script);
  merge_file.finish(merge_script);
  say_submitted(sweep, shards.size(), array, merge);
}

}  // namespace

int submit_to_slurm(const sweep::ShardedSweep& sweep, const sweep::PlannedSweep& plan,
                    const SlurmOrder& order) {
  sweep::check_array_size(sweep.shards);
  const std::string name = sweep::job_name(sweep);
  const sweep::QueuedShards queued = sweep::queued_shards(name);
  if (!queued.shards.empty() && !order.only_missing)
    throw InputError(
        fmt::format("{} of {} shards are queued or running; expected --missing, or "
                    "scancel --name={} before",
                    queued.shards.size(), sweep.shards, name));
  const Shards shards = shards_to_run(sweep, plan, order, queued.shards);
  if (shards.empty()) return say_none_missing(sweep, queued.shards.size());
  submit_shards(sweep, shards, order, queued.jobs);
  return kFine;
}

}  // namespace shflsim::cli
