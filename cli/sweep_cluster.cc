// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_cluster.h"

#include <cstdlib>

#include "cli/command.h"
#include "cli/spec.h"
#include "isa/input_error.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;
using sweep::ResultsFile;

/// What `--shards` says; 0 where it is not given.
size_t shards_of(const po::variables_map& values) {
  if (values.count("shards") == 0) return 0;
  return read_number(text_of(values, "shards"), 1, sweep::kMostShards, "--shards");
}

}  // namespace

void add_cluster_options(po::options_description& options) {
  options.add_options()(
      "shard", po::value<std::string>()->value_name("I/N"),
      "only every N-th point from the I-th on, 0/8 to 7/8, into OUT.I-of-N.sqlite for --db "
      "OUT.sqlite; auto: as an array job of Slurm, Kubernetes, PBS, LSF or SGE is numbered")(
      "shards", po::value<std::string>()->value_name("N"),
      "how many there are, where --shard auto cannot know");
}

std::optional<sweep::Shard> chosen_shard(const po::variables_map& values) {
  const size_t shards = shards_of(values);
  if (values.count("shard") == 0 && shards != 0)
    throw InputError("--shards without --shard; expected --shard auto");
  if (values.count("shard") == 0) return std::nullopt;
  return sweep::shard_of(text_of(values, "shard"), shards, std::getenv);
}

ResultsFile results_of(const std::string& database, const std::optional<sweep::Shard>& shard) {
  if (!shard) return {database, ResultsFile::Access::kWrite};
  return {sweep::shard_path(database, *shard), ResultsFile::Access::kWriteAlone};
}

}  // namespace shflsim::cli
