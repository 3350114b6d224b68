// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/base/bounded.h"

namespace shflsim::isa {

/// A name under which what the user calls `path` can be opened, read from any place and read again:
/// the path itself, where it is a file that this command has not written; else what was read of it,
/// once, into a file without a name. `-` is standard input. Every reader of a user's file opens it
/// by this name, and goes on to call it `path` in what it says.
///
/// Throws InputError where standard input is closed, where a stream breaks off or has no end (a
/// device that is no terminal). A path that does not exist, and a folder, are left to the reader.
std::string readable(const std::string& path);

/// Collects the names, as the user gave them, of the files that are opened while it lives.
class OpenedFiles {
 public:
  OpenedFiles() : before_(current_) { current_ = this; }
  OpenedFiles(const OpenedFiles&) = delete;
  OpenedFiles& operator=(const OpenedFiles&) = delete;
  ~OpenedFiles() { current_ = before_; }

  /// Each once, the first opened first.
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  friend std::string readable(const std::string& path);
  static OpenedFiles* current_;
  OpenedFiles* const before_;
  std::vector<std::string> paths_;
};

/// Throws InputError for a name that the system would read, and open, as far as its first zero byte
/// alone: a name that stands in a file may have one.
void refuse_zero_bytes(const std::string& path);

/// All bytes of the file, `most` at most, which `expected` names where it cannot be read: "a file
/// of bytes". Throws InputError.
std::string read_bytes(const std::string& path, const std::string& expected,
                       uint64_t most = kMostSourceBytes);

/// Where temporary files are: TMPDIR, or /tmp.
std::string temporary_folder();
/// A new file without a name there, gone with the process; a descriptor. Throws InputError.
int nameless_file();
/// Name under which a descriptor of this process can be opened.
std::string name_of_descriptor(int descriptor);

}  // namespace shflsim::isa
