// SPDX-License-Identifier: Apache-2.0
#include "report/atomic_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "isa/input_error.h"
#include "report/messages.h"

namespace shflsim::report {
namespace {

namespace fs = std::filesystem;

/// 0, or the errno of what failed.
int write_whole(const std::string& path, const std::string& content) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return errno;
  int error = 0;
  if (std::fwrite(content.data(), 1, content.size(), file) != content.size()) error = errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  return error;
}

int replace(const std::string& path, const std::string& content) {
  // The process's number keeps two runs that write the same file apart.
  const std::string beside = path + "." + std::to_string(getpid()) + ".part";
  int error = write_whole(beside, content);
  if (error == 0 && std::rename(beside.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) std::remove(beside.c_str());
  return error;
}

}  // namespace

void write_file_atomically(const std::string& path, const std::string& content) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(path, ignored);
  const bool in_place = fs::exists(status) && !fs::is_regular_file(status);
  const int error = in_place ? write_whole(path, content) : replace(path, content);
  if (error == 0) {
    detail(fmt::format("wrote {}, {} bytes", path, content.size()));
    return;
  }
  throw InputError({path}, std::string("cannot be written: ") + std::strerror(error) +
                               "; expected a file in a writable folder");
}

}  // namespace shflsim::report
