// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sweep/engines/sharded_sweep.h"
#include "sweep/shell_words.h"

namespace shflsim::sweep {
namespace {

/// One line for any shell: the preparation and the command.
std::string line(const ShardedSweep& sweep, const std::string& command) {
  std::string line;
  for (const std::string& each : preparation(sweep)) line += each + " && ";
  return line + command + "\n";
}

std::string commands(const ShardedSweep& sweep) {
  const std::string program = shell_word(sweep.program);
  std::string text = fmt::format(
      "# {} points in {} shards, of shflsim {}; the last line merges what the others leave\n",
      sweep.points, sweep.shards, sweep.version);
  for (size_t shard = 0; shard < sweep.shards; ++shard) {
    const std::string its = fmt::format("{}/{}", shard, sweep.shards);
    text += line(sweep, shard_command(sweep, program, its, std::to_string(sweep.jobs)));
  }
  return text + line(sweep, merge_command(sweep, program));
}

const bool commands_registered =
    Engines::add("commands", "lines for a shell: the shards, and one that merges them", commands);

}  // namespace
}  // namespace shflsim::sweep
