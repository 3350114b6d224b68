// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace shflsim::sweep {

/// A sweep whose shards other programs start on other machines, with all that their scripts
/// need.
struct ShardedSweep {
  std::string program;  ///< absolute path
  std::string version;  ///< version of the program
  std::string digest;   ///< digest of all points, what they depend on, and the version
  std::string folder;   ///< working folder of the call
  std::vector<std::string>
      arguments;                   ///< "sweep", FILE, ...; without place, shard and number of jobs
  std::string database;            ///< absolute path of the merged results
  std::vector<std::string> files;  ///< files that it reads, relative to `folder`
  std::vector<std::pair<std::string, std::string>> environment;  ///< variables that it reads
  size_t points = 0;
  size_t shards = 1;
  unsigned jobs = 1;  ///< processes of a shard
};

/// A job name for the shards of this results file and this number of shards: "shflsim-1a2b3c4d".
std::string job_name(const ShardedSweep& sweep);

/// A POSIX shell command that runs a shard. `program` is the path that the shell uses. `shard`
/// ("3/8") and `jobs` are not quoted, so that they can be shell variables.
std::string shard_command(const ShardedSweep& sweep, const std::string& program,
                          const std::string& shard, const std::string& jobs);
/// A command that merges the results files of shards; `files` is not quoted, "" means all.
std::string merge_command(const ShardedSweep& sweep, const std::string& program,
                          const std::string& files = "");
/// Commands that change to the folder and export the variables.
std::vector<std::string> preparation(const ShardedSweep& sweep);

/// A text as a JSON string, which YAML and Python accept too.
std::string in_quotes(const std::string& text);

/// The engines that run shards, other than this program, by name; each registers itself in its own
/// file:
///   const bool registered = Engines::add("commands", "a line for a shell each", text);
class Engines {
 public:
  struct Entry {
    std::string help;
    std::string (*text)(const ShardedSweep& sweep);  ///< text of the file that the engine takes
  };
  static bool add(const char* name, const char* help, std::string (*text)(const ShardedSweep&));
  /// Throws InputError that begins with `option` for an unknown name.
  static const Entry& at(const std::string& name, const std::string& option);
  static const std::map<std::string, Entry>& all();
};

}  // namespace shflsim::sweep
