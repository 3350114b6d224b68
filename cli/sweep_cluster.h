// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sweep/engine.h"
#include "sweep/results_file.h"
#include "sweep/shard.h"

namespace shflsim::cli {

/// The options of `sweep` that share its points out over the jobs of a cluster.
void add_cluster_options(boost::program_options::options_description& options);

/// The shard that this process is to run; none where it runs all points. Throws InputError.
std::optional<sweep::Shard> chosen_shard(const boost::program_options::variables_map& values);
/// Where its results go: those of a shard into a file of its own, as machines do not share one.
sweep::ResultsFile results_of(const std::string& database,
                              const std::optional<sweep::Shard>& shard);

/// A call of `sweep`, as it was typed.
struct SweepCall {
  const std::vector<std::string>& arguments;  ///< behind the verb
  const boost::program_options::options_description& options;
  const boost::program_options::variables_map& values;
};
/// The arguments without those behind `--` that --slurm hands to sbatch.
std::vector<std::string> without_sbatch_options(const std::vector<std::string>& arguments);
/// True where it is not this process that is to run the sweep.
bool is_for_cluster(const boost::program_options::variables_map& values);
/// Gives the sweep's shards to whom the call names. Returns an ExitStatus. Throws InputError.
int hand_over(const SweepCall& call, const sweep::Sweep& sweep, const std::string& database);

}  // namespace shflsim::cli
