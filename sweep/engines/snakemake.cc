// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "isa/base/input_error.h"
#include "sweep/engines/sharded_sweep.h"
#include "sweep/shell_words.h"

namespace shflsim::sweep {
namespace {

namespace fs = std::filesystem;

/// Doubles braces, because Snakemake replaces text in braces.
std::string without_values(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += std::string(c == '{' || c == '}' ? 2 : 1, c);
  return escaped;
}

ShardedSweep without_values(ShardedSweep sweep) {
  for (std::string* text : {&sweep.program, &sweep.folder, &sweep.database})
    *text = without_values(*text);
  for (std::string& argument : sweep.arguments) argument = without_values(argument);
  for (auto& [name, value] : sweep.environment) value = without_values(value);
  return sweep;
}

/// A recipe that ends with the status of the command, except for the status of points without
/// figures: they have their result too, and would end the same way again.
std::string recipe(const ShardedSweep& sweep, const std::string& command, bool may_say_no) {
  std::string text;
  for (const std::string& each : preparation(sweep)) text += each + " && ";
  return in_quotes(text + (may_say_no ? "(" + command + " || [ $? -eq 1 ])" : command));
}

/// The name of a file of a rule. Throws InputError for braces, which Snakemake would replace.
std::string file_name(const std::string& path) {
  if (path.find_first_of("{}") == std::string::npos) return in_quotes(path);
  throw InputError({path}, "Snakemake takes no braces in the names of files; expected none");
}

std::string inputs(const ShardedSweep& sweep) {
  std::string text;
  for (const std::string& file : sweep.files)
    text +=
        "        " + file_name((fs::path(sweep.folder) / file).lexically_normal().string()) + ",\n";
  return text;
}

/// The file that marks a shard as done. Its results file is no output of the rule: Snakemake
/// removes the outputs of an interrupted rule, and a shard continues from its results.
std::string mark(const ShardedSweep& sweep) {
  const std::string folder = fs::path(sweep.database).replace_extension(".snakemake").string();
  return in_quotes(fmt::format("{}/{{shard}}-of-{}.done", folder, sweep.shards));
}

std::string snakefile(const ShardedSweep& sweep) {
  const ShardedSweep its = without_values(sweep);
  const std::string program = shell_word(its.program);
  return fmt::format(
      R"(# {points} points in {shards} shards: snakemake -j2 -s THIS
import subprocess

VERSION = subprocess.run([{python_program}, "--version"], check=True, text=True,
                         stdout=subprocess.PIPE).stdout


rule all:
    input:
        {database}


rule shard:
    input:
{files}    output:
        touch({mark})
    params:
        version=VERSION
    threads: {jobs}
    retries: 2
    shell:
        {shard}


rule merge:
    input:
        expand({mark}, shard=range({shards}))
    output:
        {database}
    params:
        version=VERSION
    shell:
        {merge}
)",
      fmt::arg("points", sweep.points), fmt::arg("shards", sweep.shards),
      fmt::arg("python_program", in_quotes(sweep.program)),
      fmt::arg("database", file_name(sweep.database)), fmt::arg("files", inputs(sweep)),
      fmt::arg("mark", mark(sweep)), fmt::arg("jobs", sweep.jobs),
      fmt::arg("shard", recipe(its,
                               shard_command(its, program,
                                             fmt::format("{{wildcards.shard}}/{}", sweep.shards),
                                             "{threads}"),
                               true)),
      fmt::arg("merge", recipe(its, merge_command(its, program), false)));
}

const bool snakemake_registered =
    Engines::add("snakemake", "a Snakefile, a job for each shard and one that merges", snakefile);

}  // namespace
}  // namespace shflsim::sweep
