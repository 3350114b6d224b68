// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace shflsim::traces {

/// A file that is written piece by piece and is there only once it is whole: it grows under a name
/// beside its own. What is no regular file (a pipe, /dev/stdout) is written in place. Throws
/// InputError, with the path, where that fails.
class OutFile {
 public:
  explicit OutFile(const std::string& path);
  ~OutFile();  ///< removes what was not committed
  OutFile(const OutFile&) = delete;
  OutFile& operator=(const OutFile&) = delete;

  void write(const std::string& bytes);
  uint64_t size() const { return size_; }  ///< bytes so far
  /// Gives the file its name.
  void commit();

 private:
  [[noreturn]] void fail(int error) const;

  const std::string path_;
  std::string written_;  ///< the name it grows under
  std::FILE* file_ = nullptr;
  uint64_t size_ = 0;
};

}  // namespace shflsim::traces
