// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/base/bounded.h"

namespace shflsim::isa {

/// Returns a name under which the user's file `path` can be opened, read from any offset and read
/// again: the file's present name, or for a pipe or a device a nameless copy of its bytes, which
/// are read once. `-` is standard input. Every reader of a user's file opens it by this name, and
/// calls it `path` in messages.
///
/// Throws InputError if standard input is closed, or if a stream breaks off or has no end (a
/// device that is no terminal). A path that does not exist, or a folder, is left to the reader.
std::string readable(const std::string& path);

/// Collects the names, as the user gave them, of the files opened during its lifetime.
class OpenedFiles {
 public:
  OpenedFiles() : before_(current_) { current_ = this; }
  OpenedFiles(const OpenedFiles&) = delete;
  OpenedFiles& operator=(const OpenedFiles&) = delete;
  ~OpenedFiles() { current_ = before_; }

  /// The names without duplicates, in the order in which the files were opened.
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  friend std::string readable(const std::string& path);
  static OpenedFiles* current_;
  OpenedFiles* const before_;
  std::vector<std::string> paths_;
};

/// True if `path` leads to a file that this command has read as an input.
bool is_input(const std::string& path);
/// Forgets all inputs; called when a command begins.
void forget_inputs();
/// Notes that the command writes to the file in place. From then on the file cannot be an input:
/// readable() throws InputError for it.
void reserve_for_output(const std::string& path);

/// Throws InputError for a name with a zero byte, as a file may contain: the system would open the
/// part before it.
void refuse_zero_bytes(const std::string& path);

/// All bytes of the file, at most `most`. `expected` describes the file in errors: "a file of
/// bytes". Throws InputError.
std::string read_bytes(const std::string& path, const std::string& expected,
                       uint64_t most = kMostSourceBytes);

/// Where temporary files are: TMPDIR, or /tmp.
std::string temporary_folder();
/// A new nameless file in that folder, removed when the process ends; returns a descriptor. Throws
/// InputError.
int nameless_file();
/// Name under which a descriptor of this process can be opened.
std::string name_of_descriptor(int descriptor);

}  // namespace shflsim::isa
