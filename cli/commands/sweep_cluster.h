// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/options/option_list.h"
#include "sweep/engine.h"
#include "sweep/results_file.h"
#include "sweep/shard.h"

namespace shflsim::cli {

/// Where the points of a sweep run, and with how many jobs.
struct ClusterOptions : OptionGroup {
  std::string database;
  std::optional<unsigned> jobs;
  bool retry = false;
  std::optional<std::string> shard;
  std::optional<size_t> shards;
  bool slurm = false;
  bool missing = false;
  std::optional<std::string> engine;
  std::optional<std::string> output;
  Strings call;    ///< words of this call for a shard's own call, without these options
  Strings sbatch;  ///< the words after `--`

  void list(OptionList& list);
  /// True if other processes than this one run the sweep.
  bool is_elsewhere() const { return slurm || engine.has_value(); }

 private:
  void list_shards(OptionList& list);
  void list_engines(OptionList& list);
};

/// The shard that this process is to run; none if it runs all points. Throws InputError.
std::optional<sweep::Shard> chosen_shard(const ClusterOptions& options);
/// The sweep's results file; each shard has a file of its own, since machines do not share one.
sweep::ResultsFile results_of(const std::string& database,
                              const std::optional<sweep::Shard>& shard);

/// Submits the shards to Slurm or emits them for an engine; an ExitStatus. Throws InputError.
int hand_over(const ClusterOptions& options, const sweep::Sweep& sweep,
              const std::string& database);

}  // namespace shflsim::cli
