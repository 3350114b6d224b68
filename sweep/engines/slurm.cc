// SPDX-License-Identifier: Apache-2.0
#include "sweep/engines/slurm.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <sstream>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "isa/base/text_cursor.h"
#include "sweep/child.h"
#include "sweep/shell_words.h"

namespace shflsim::sweep {
namespace {

namespace fs = std::filesystem;

/// The name of log files in a folder for #SBATCH, where % begins a replacement of Slurm.
std::string log_name(const std::string& folder, const std::string& name) {
  std::string quoted;
  for (const char c : folder) {
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ')
      throw InputError({folder},
                       "Slurm takes no log files there; expected --db in a folder "
                       "without quotes, backslashes and control characters");
    quoted += c == '%' ? std::string("%%") : std::string(1, c);
  }
  return '"' + quoted + '/' + name + '"';
}

/// Numbers as ranges: "0-3,7" for 0 1 2 3 7.
std::string ranges(const std::vector<size_t>& numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (last > i) text += "-" + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

/// The beginning of both scripts, with the lines of options in `its`.
std::string head(const ShardedSweep& sweep, const std::string& its) {
  std::string text = fmt::format(
      "#!/usr/bin/env bash\n"
      "# {} points in {} shards, of shflsim {}.\n"
      "{}"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --requeue\n"
      "set -euo pipefail\n",
      sweep.points, sweep.shards, sweep.version, its);
  for (const std::string& line : preparation(sweep)) text += line + "\n";
  return text;
}

/// The output of a Slurm command. If it fails, throws InputError with its message.
std::string output_of(const std::vector<std::string>& command, const std::string& input = "",
                      const char* expected = "what this cluster takes") {
  const ChildOutput child = run_child(command, input);
  if (child.status == 0) return child.output;
  std::string said;
  std::istringstream lines(child.errors);
  for (std::string line; std::getline(lines, line);) {
    const std::string prefix = command[0] + ": error: ";
    if (line.rfind(prefix, 0) == 0) line = line.substr(prefix.size());
    if (!line.empty()) said += (said.empty() ? "" : ", ") + line;
  }
  if (said.empty()) said = fmt::format("left with status {}", child.status);
  throw InputError(command[0] + ": " + said + "; expected " + expected);
}

}  // namespace

std::string slurm_folder(const ShardedSweep& sweep) {
  return fs::path(sweep.database).replace_extension(".slurm").string();
}

std::string slurm_shards_script(const ShardedSweep& sweep, const std::vector<size_t>& shards) {
  // The program replaces the shell, so that it receives the signal at the end of its time.
  const std::string jobs = fmt::format("\"${{SLURM_CPUS_PER_TASK:-{}}}\"", sweep.jobs);
  const std::string shard = fmt::format("\"$SLURM_ARRAY_TASK_ID/{}\"", sweep.shards);
  return head(sweep, fmt::format("#SBATCH --job-name={}\n"
                                 "#SBATCH --array={}\n"
                                 "#SBATCH --cpus-per-task={}\n"
                                 "#SBATCH --output={}\n"
                                 "#SBATCH --signal=B:TERM@60\n",
                                 job_name(sweep), ranges(shards), sweep.jobs,
                                 log_name(slurm_folder(sweep), "%A_%a.log"))) +
         "exec " + shard_command(sweep, shell_word(sweep.program), shard, jobs) + "\n";
}

std::string slurm_merge_script(const ShardedSweep& sweep) {
  const fs::path database(sweep.database);
  const std::string base = (database.parent_path() / database.stem()).string();
  return head(sweep, fmt::format("#SBATCH --job-name={}-merge\n"
                                 "#SBATCH --output={}\n",
                                 job_name(sweep), log_name(slurm_folder(sweep), "%j.log"))) +
         fmt::format(
             "shards=()\n"
             "for ((i = 0; i < {}; ++i)); do\n"
             "  shard={}.$i-of-{}{}\n"
             "  if [[ -s $shard ]]; then shards+=(\"$shard\"); fi\n"
             "done\n"
             "exec {}\n",
             sweep.shards, shell_word(base), sweep.shards,
             database.has_extension() ? shell_word(database.extension().string()) : "",
             merge_command(sweep, shell_word(sweep.program), "\"${shards[@]}\""));
}

QueuedShards queued_shards(const std::string& job_name) {
  std::istringstream lines(
      output_of({"squeue", "--noheader", "--array", "--name=" + job_name, "--format=%F %K"}));
  QueuedShards queued;
  std::string shard;
  for (std::string job; lines >> job >> shard;) {
    queued.jobs.insert(job);
    if (const std::optional<uint64_t> number = whole_number(shard)) queued.shards.insert(*number);
  }
  return queued;
}

void check_array_size(size_t shards) {
  std::istringstream lines(output_of({"scontrol", "show", "config"}, "",
                                     "a Slurm cluster; without one, --jobs runs the sweep here "
                                     "and --emit commands writes its shards for another"));
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find('=');
    if (isa::trimmed(line.substr(0, equals)) != "MaxArraySize" || equals == std::string::npos)
      continue;
    const std::optional<uint64_t> most = whole_number(isa::trimmed(line.substr(equals + 1)));
    if (most && shards > *most)
      throw InputError(fmt::format("--shards {}; expected {} at most, this cluster's MaxArraySize",
                                   shards, *most));
  }
}

std::string submit(const std::vector<std::string>& options, const std::string& script) {
  std::vector<std::string> command = {"sbatch", "--parsable"};
  command.insert(command.end(), options.begin(), options.end());
  const std::string output = output_of(command, script);
  return output.substr(0, output.find_first_of(";\n"));  // "12;cluster"
}

void cancel(const std::string& job) { output_of({"scancel", job}); }

}  // namespace shflsim::sweep
