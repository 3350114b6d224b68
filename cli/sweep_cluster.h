// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <optional>
#include <string>

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

}  // namespace shflsim::cli
