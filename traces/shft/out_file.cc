// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/out_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "isa/input_error.h"

namespace shflsim::traces {
namespace {

namespace fs = std::filesystem;

bool is_written_in_place(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
}

}  // namespace

OutFile::OutFile(const std::string& path) : path_(path), written_(path) {
  // The process's number keeps two runs that write the same file apart.
  if (!is_written_in_place(path)) written_ += "." + std::to_string(getpid()) + ".part";
  file_ = std::fopen(written_.c_str(), "wb");
  if (file_ == nullptr) fail(errno);
}

OutFile::~OutFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (written_ != path_) std::remove(written_.c_str());
}

void OutFile::write(const std::string& bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail(errno);
  size_ += bytes.size();
}

void OutFile::commit() {
  if (std::fflush(file_) != 0) fail(errno);
  if (written_ != path_ && std::rename(written_.c_str(), path_.c_str()) != 0) fail(errno);
  std::fclose(file_);
  file_ = nullptr;
}

void OutFile::fail(int error) const {
  throw InputError({path_}, std::string("cannot be written: ") + std::strerror(error) +
                                "; expected a file in a writable folder");
}

}  // namespace shflsim::traces
