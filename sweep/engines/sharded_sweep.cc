// SPDX-License-Identifier: Apache-2.0
#include "sweep/engines/sharded_sweep.h"

#include <nlohmann/json.hpp>

#include "isa/base/input_error.h"
#include "sweep/engine.h"
#include "sweep/shard.h"
#include "sweep/shell_words.h"

namespace shflsim::sweep {
namespace {

std::map<std::string, Engines::Entry>& table() {
  static std::map<std::string, Engines::Entry> entries;
  return entries;
}

}  // namespace

std::string job_name(const ShardedSweep& sweep) {
  constexpr size_t kDigits = 8;
  const std::string files = shard_path(sweep.database, {0, sweep.shards});
  return "shflsim-" + digest_of(files).substr(0, kDigits);
}

std::string shard_command(const ShardedSweep& sweep, const std::string& program,
                          const std::string& shard, const std::string& jobs) {
  std::string command = program;
  for (const std::string& argument : sweep.arguments) command += " " + shell_word(argument);
  return command + " --db " + shell_word(sweep.database) + " -j " + jobs + " --shard " + shard;
}

std::string merge_command(const ShardedSweep& sweep, const std::string& program,
                          const std::string& files) {
  std::string command = program + " results --merge";
  if (!files.empty()) command += " " + files;
  for (size_t index = 0; files.empty() && index < sweep.shards; ++index)
    command += " " + shell_word(shard_path(sweep.database, {index, sweep.shards}));
  return command + " -o " + shell_word(sweep.database);
}

std::vector<std::string> preparation(const ShardedSweep& sweep) {
  std::vector<std::string> lines = {"cd " + shell_word(sweep.folder)};
  for (const auto& [name, value] : sweep.environment)
    lines.push_back("export " + name + "=" + shell_word(value));
  return lines;
}

std::string in_quotes(const std::string& text) { return nlohmann::json(text).dump(); }

bool Engines::add(const char* name, const char* help, std::string (*text)(const ShardedSweep&)) {
  table()[name] = {help, text};
  return true;
}

const Engines::Entry& Engines::at(const std::string& name, const std::string& option) {
  const auto found = table().find(name);
  if (found != table().end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, entry] : table()) names.push_back(known);
  throw InputError(option + " '" + name + "'" + suggestion(name, names));
}

const std::map<std::string, Engines::Entry>& Engines::all() { return table(); }

}  // namespace shflsim::sweep
