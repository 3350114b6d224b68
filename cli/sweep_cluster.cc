// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_cluster.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>

#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/spec.h"
#include "cli/sweep_slurm.h"
#include "cli/version.h"
#include "isa/input_error.h"

namespace shflsim::cli {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using Strings = std::vector<std::string>;
using sweep::ResultsFile;

/// What the shards' own calls of `sweep` do not get, or get anew.
const std::set<std::string> kNotTheirs = {"db",    "jobs",    "retry", "shards",
                                          "slurm", "missing", "emit",  "output"};
constexpr size_t kPointsOfShard = 100;
constexpr size_t kMostOfThemselves = 64;  ///< shards where --shards does not say how many

/// What `--shards` says; 0 where it is not given.
size_t shards_of(const po::variables_map& values) {
  if (values.count("shards") == 0) return 0;
  return read_number(text_of(values, "shards"), 1, sweep::kMostShards, "--shards");
}

size_t shards_for(const po::variables_map& values, size_t points) {
  const size_t given = shards_of(values);
  if (given > points)
    throw InputError("--shards " + std::to_string(given) + "; expected " + std::to_string(points) +
                     " at most, as many as there are points");
  if (given != 0) return given;
  return std::clamp<size_t>(points / kPointsOfShard, 1, kMostOfThemselves);
}

/// The words of a shard's call: those of this one, but what says where and which.
Strings words_of_shard(const SweepCall& call, bool retries) {
  po::options_description all = call.options;
  add_common_options(all);
  po::positional_options_description positions;
  positions.add("input", -1);
  const Strings own = without_sbatch_options(call.arguments);
  const po::parsed_options parsed =
      po::command_line_parser(own).options(all).positional(positions).run();
  Strings words = {"sweep"};
  for (const po::option& option : parsed.options) {
    if (kNotTheirs.count(option.string_key) != 0) continue;
    words.insert(words.end(), option.original_tokens.begin(), option.original_tokens.end());
  }
  if (retries) words.emplace_back("--retry");
  return words;
}

Strings files_of(const sweep::Sweep& sweep) {
  std::set<std::string> files;
  for (const sweep::Input& input : sweep.inputs) {
    if (input.label == "-")
      throw InputError("standard input is not there for the shards; expected a file");
    files.insert(input.files.begin(), input.files.end());
  }
  if (!sweep.spec.path.empty()) files.insert(sweep.spec.path);
  return {files.begin(), files.end()};
}

sweep::ShardedSweep sharded(const SweepCall& call, const sweep::Sweep& sweep,
                            const std::string& database, bool retries) {
  sweep::ShardedSweep shards;
  shards.program = fs::read_symlink("/proc/self/exe").string();
  shards.version = version_word();
  shards.folder = fs::current_path().string();
  shards.arguments = words_of_shard(call, retries);
  shards.database = fs::absolute(database).lexically_normal().string();
  shards.files = files_of(sweep);
  const char* const configs = std::getenv("SHFLSIM_CONFIGS");
  if (configs != nullptr) shards.environment.emplace_back("SHFLSIM_CONFIGS", configs);
  shards.points = sweep.grid.size();
  shards.shards = shards_for(call.values, shards.points);
  if (!call.values["jobs"].defaulted())
    shards.jobs = static_cast<unsigned>(std::stoul(text_of(call.values, "jobs")));
  return shards;
}

/// Options of sbatch that are not the user's to set.
void check_sbatch_options(const Strings& options) {
  for (const std::string& option : options) {
    if (option.rfind("--array", 0) == 0 || option.rfind("-a", 0) == 0)
      throw InputError(option + " behind --; expected --shards N");
    if (option.rfind("--dependency", 0) == 0 || option.rfind("-d", 0) == 0)
      throw InputError(option + " behind --; expected it with nothing to wait for");
  }
}

Strings sbatch_options(const Strings& arguments) {
  const size_t own = without_sbatch_options(arguments).size();
  if (own == arguments.size()) return {};
  return {arguments.begin() + static_cast<std::ptrdiff_t>(own) + 1, arguments.end()};
}

void refuse_output(const po::variables_map& values) {
  if (values.count("output") != 0) throw InputError("-o without --emit; expected --db FILE");
}

/// Throws InputError for options that do not go with --slurm or --emit.
void check_engine(const po::variables_map& values) {
  const bool emits = values.count("emit") != 0;
  const std::string engine = emits ? "--emit" : "--slurm";
  if (emits && values.count("slurm") != 0)
    throw InputError("--emit with --slurm; expected one of them");
  if (values.count("shard") != 0)
    throw InputError("--shard with " + engine + "; expected one of them");
  if (emits && values.count("missing") != 0)
    throw InputError("--missing with --emit; expected it with --slurm");
  if (!emits) refuse_output(values);
}

int emit(const SweepCall& call, const sweep::Sweep& sweep, const std::string& database) {
  const auto& engine = sweep::Engines::at(text_of(call.values, "emit"), "--emit");
  std::optional<isa::OutFile> file = file_of(call.values, "output");
  const bool retries = call.values.count("retry") != 0;
  const std::string text = engine.text(sharded(call, sweep, database, retries));
  if (file)
    file->finish(text);
  else
    std::cout << text;
  return kFine;
}

int submit(const SweepCall& call, const sweep::Sweep& sweep, const std::string& database) {
  SlurmOrder order;
  order.sbatch = sbatch_options(call.arguments);
  order.only_missing = call.values.count("missing") != 0;
  order.retries = call.values.count("retry") != 0;
  check_sbatch_options(order.sbatch);
  const sweep::PlannedSweep plan(sweep, version_word());
  const bool retries = order.only_missing || order.retries;
  return submit_to_slurm(sharded(call, sweep, database, retries), plan, order);
}

}  // namespace

void add_cluster_options(po::options_description& options) {
  std::string help = "write the shards for another engine:";
  for (const auto& [name, engine] : sweep::Engines::all())
    help += (help.back() == ':' ? " " : "; ") + name + ", " + engine.help;
  options.add_options()(
      "shard", po::value<std::string>()->value_name("I/N"),
      "only every N-th point from the I-th on, 0/8 to 7/8, into OUT.I-of-N.sqlite for --db "
      "OUT.sqlite; auto: as an array job of Slurm, Kubernetes, PBS, LSF or SGE is numbered")(
      "shards", po::value<std::string>()->value_name("N"),
      "how many there are, where --shard auto cannot know; for --slurm and --emit (default: one "
      "for 100 points, 64 at most)")(
      "slurm",
      "submit the shards as an array job of Slurm, and a job that merges them into --db; options "
      "behind -- are for sbatch")("missing", "with --slurm: only those again that did not finish")(
      "emit", po::value<std::string>()->value_name("ENGINE"), help.c_str())(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "what --emit writes (default: standard output)");
}

std::optional<sweep::Shard> chosen_shard(const po::variables_map& values) {
  const size_t shards = shards_of(values);
  if (values.count("shard") == 0 && shards != 0)
    throw InputError("--shards alone; expected it with --shard auto, --slurm or --emit");
  if (values.count("missing") != 0) throw InputError("--missing alone; expected it with --slurm");
  refuse_output(values);
  if (values.count("shard") == 0) return std::nullopt;
  return sweep::shard_of(text_of(values, "shard"), shards, std::getenv);
}

ResultsFile results_of(const std::string& database, const std::optional<sweep::Shard>& shard) {
  if (!shard) return {database, ResultsFile::Access::kWrite};
  return {sweep::shard_path(database, *shard), ResultsFile::Access::kWriteAlone};
}

Strings without_sbatch_options(const Strings& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  if (std::find(arguments.begin(), end, "--slurm") == end) return arguments;
  return {arguments.begin(), end};
}

bool is_for_cluster(const po::variables_map& values) {
  return values.count("slurm") != 0 || values.count("emit") != 0;
}

int hand_over(const SweepCall& call, const sweep::Sweep& sweep, const std::string& database) {
  check_engine(call.values);
  return call.values.count("emit") != 0 ? emit(call, sweep, database)
                                        : submit(call, sweep, database);
}

}  // namespace shflsim::cli
