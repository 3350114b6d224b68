// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace shflsim::sweep {

/// A sweep whose shards are started by other programs on other machines: all that their scripts
/// need.
struct ShardedSweep {
  std::string program;  ///< absolute path
  std::string version;  ///< version of the program
  std::string digest;   ///< digest of all points, what they depend on, and the version
  std::string folder;   ///< working folder of the call
  std::vector<std::string>
      arguments;                   ///< "sweep", FILE, ...; not where, which shard, how many jobs
  std::string database;            ///< absolute path of the results, once merged
  std::vector<std::string> files;  ///< files that it reads, relative to `folder`
  std::vector<std::pair<std::string, std::string>> environment;  ///< variables that it reads
  size_t points = 0;
  size_t shards = 1;
  unsigned jobs = 1;  ///< processes of a shard
};

/// A name for the shards of this results file in this number: "shflsim-1a2b3c4d".
std::string job_name(const ShardedSweep& sweep);

/// The line of a POSIX shell that runs a shard. `program` as the shell finds it; `shard` ("3/8")
/// and `jobs` are not quoted, so that they can be variables.
std::string shard_command(const ShardedSweep& sweep, const std::string& program,
                          const std::string& shard, const std::string& jobs);
/// Merges the shards' results files; `files` is not quoted, "" for all.
std::string merge_command(const ShardedSweep& sweep, const std::string& program,
                          const std::string& files = "");
/// Goes to the folder, and exports the variables.
std::vector<std::string> preparation(const ShardedSweep& sweep);

/// A text as a string of JSON, which YAML and Python take as well.
std::string in_quotes(const std::string& text);

/// What engines other than this program's own run shards with, by name; each registers itself from
/// its own file:
///   const bool registered = Engines::add("commands", "a line for a shell each", text);
class Engines {
 public:
  struct Entry {
    std::string help;
    std::string (*text)(const ShardedSweep& sweep);  ///< text of the file that the engine takes
  };
  static bool add(const char* name, const char* help, std::string (*text)(const ShardedSweep&));
  /// Throws InputError, which begins with `option`, for a name that is not known.
  static const Entry& at(const std::string& name, const std::string& option);
  static const std::map<std::string, Entry>& all();
};

}  // namespace shflsim::sweep
