// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/harness.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace shflsim::fuzz {

MemoryFile::MemoryFile(std::string_view bytes)
    : descriptor_(memfd_create("input", MFD_CLOEXEC)),
      path_("/proc/self/fd/" + std::to_string(descriptor_)) {
  const auto written = write(descriptor_, bytes.data(), bytes.size());
  if (written != static_cast<ssize_t>(bytes.size())) throw std::runtime_error("no memory file");
}

MemoryFile::~MemoryFile() { close(descriptor_); }

MemoryFolder::MemoryFolder() {
  const std::filesystem::path memory = "/dev/shm";
  const bool has_memory = std::filesystem::is_directory(memory);
  path_ = (has_memory ? memory : std::filesystem::temp_directory_path()) / "shflsim_fuzz_XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder " + path_);
}

MemoryFolder::~MemoryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string MemoryFolder::write(const std::string& name, std::string_view bytes) const {
  std::string path = path_ + "/" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string_view take_part(std::string_view* text, std::string_view separator) {
  const size_t at = text->find(separator);
  const std::string_view part = text->substr(0, at);
  text->remove_prefix(at == std::string_view::npos ? text->size() : at + separator.size());
  return part;
}

}  // namespace shflsim::fuzz

/// The SystemC library wants one; the main() that is called is libFuzzer's or replay.cc's.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }
