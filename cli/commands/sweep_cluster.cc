// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/sweep_cluster.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>

#include "cli/commands/sweep_slurm.h"
#include "cli/options/command.h"
#include "cli/options/result_files.h"
#include "cli/options/version.h"
#include "isa/base/input_error.h"
#include "sweep/jobs.h"

namespace shflsim::cli {
namespace {

namespace fs = std::filesystem;
using sweep::ResultsFile;

constexpr unsigned kMostJobs = 1000;
constexpr size_t kPointsOfShard = 100;
constexpr size_t kMostOfThemselves = 64;  ///< shards if --shards is not given

size_t shards_for(const std::optional<size_t>& given, size_t points) {
  if (!given) return std::clamp<size_t>(points / kPointsOfShard, 1, kMostOfThemselves);
  if (*given > points)
    throw InputError("--shards " + std::to_string(*given) + "; expected " + std::to_string(points) +
                     " at most, as many as there are points");
  return *given;
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

sweep::ShardedSweep sharded(const ClusterOptions& options, const sweep::Sweep& sweep,
                            const std::string& database, bool retries) {
  sweep::ShardedSweep shards;
  shards.program = fs::read_symlink("/proc/self/exe").string();
  shards.version = version_word();
  shards.folder = fs::current_path().string();
  shards.arguments = {"sweep"};
  shards.arguments.insert(shards.arguments.end(), options.call.begin(), options.call.end());
  if (retries) shards.arguments.emplace_back("--retry");
  shards.database = fs::absolute(database).lexically_normal().string();
  shards.files = files_of(sweep);
  const char* const configs = std::getenv("SHFLSIM_CONFIGS");
  if (configs != nullptr) shards.environment.emplace_back("SHFLSIM_CONFIGS", configs);
  shards.points = sweep.grid.size();
  shards.shards = shards_for(options.shards, shards.points);
  if (options.jobs) shards.jobs = *options.jobs;
  return shards;
}

/// Throws InputError for options of sbatch that the user must not set.
void check_sbatch_options(const Strings& options) {
  for (const std::string& option : options) {
    if (option.rfind("--array", 0) == 0 || option.rfind("-a", 0) == 0)
      throw InputError(option + " behind --; expected --shards N");
    if (option.rfind("--dependency", 0) == 0 || option.rfind("-d", 0) == 0)
      throw InputError(option + " behind --; expected it with nothing to wait for");
  }
}

int emit(const ClusterOptions& options, const sweep::Sweep& sweep, const std::string& database) {
  const auto& engine = sweep::Engines::at(*options.engine, "--emit");
  std::optional<isa::OutFile> file = begun(options.output);
  const std::string text = engine.text(sharded(options, sweep, database, options.retry));
  if (file)
    file->finish(text);
  else
    std::cout << text;
  return kFine;
}

int submit(const ClusterOptions& options, const sweep::Sweep& sweep, const std::string& database) {
  check_sbatch_options(options.sbatch);
  const sweep::PlannedSweep plan(sweep, version_word());
  const SlurmOrder order{options.sbatch, options.missing, options.retry};
  const bool retries = options.missing || options.retry;
  return submit_to_slurm(sharded(options, sweep, database, retries), plan, order);
}

}  // namespace

void ClusterOptions::list(OptionList& list) {
  list.group("execution", this);
  list.number("jobs", &jobs, 1, kMostJobs, "N", "points at a time, 1 to 1000")
      .short_form('j')
      .here_only()
      .common()
      .standard = std::to_string(sweep::default_processes());
  list.text("db", &database, "FILE",
            "results, a SQLite database (default: the sweep file's name, as .sqlite, here)")
      .here_only()
      .common();
  list.flag("retry", &retry, "run points again that failed before").here_only().common();
  list.group("cluster", this);
  list_shards(list);
  list_engines(list);
  list.call(&call);
  list.words_behind_dashes(&slurm, &sbatch);
}

void ClusterOptions::list_shards(OptionList& list) {
  list.text("shard", &shard, "I/N",
            "only every N-th point from the I-th on, 0/8 to 7/8, into OUT.I-of-N.sqlite for --db "
            "OUT.sqlite; auto: as an array job of Slurm, Kubernetes, PBS, LSF or SGE is numbered");
  list.number("shards", &shards, 1, sweep::kMostShards, "N",
              "number of shards, for --slurm, --emit and a --shard auto that cannot know it "
              "(default: one for 100 points, 64 at most)")
      .here_only();
  list.needs(&shards, {&shard, &slurm, &engine}, "; expected one of them");
}

void ClusterOptions::list_engines(OptionList& list) {
  list.flag("slurm", &slurm,
            "submit the shards as an array job of Slurm, and a job that merges them into --db; "
            "options after -- are for sbatch")
      .here_only();
  list.flag("missing", &missing, "with --slurm: submit only the shards that did not finish")
      .here_only();
  std::string help = "write the shards for another engine:";
  for (const auto& [name, each] : sweep::Engines::all())
    help += (help.back() == ':' ? " " : "; ") + name + ", " + each.help;
  list.text("emit", &engine, "ENGINE", help).here_only();
  list.text("output", &output, "FILE", "what --emit writes (default: standard output)")
      .short_form('o')
      .here_only();
  list.needs(&missing, {&slurm}, "; expected them together");
  list.needs(&output, {&engine}, "; expected --db FILE");
  list.excludes(&slurm, {&engine});
  list.excludes(&shard, {&slurm, &engine});
}

std::optional<sweep::Shard> chosen_shard(const ClusterOptions& options) {
  if (!options.shard) return std::nullopt;
  return sweep::shard_of(*options.shard, options.shards.value_or(0), std::getenv);
}

ResultsFile results_of(const std::string& database, const std::optional<sweep::Shard>& shard) {
  if (!shard) return {database, ResultsFile::Access::kWrite};
  return {sweep::shard_path(database, *shard), ResultsFile::Access::kWriteAlone};
}

int hand_over(const ClusterOptions& options, const sweep::Sweep& sweep,
              const std::string& database) {
  return options.slurm ? submit(options, sweep, database) : emit(options, sweep, database);
}

}  // namespace shflsim::cli
