// SPDX-License-Identifier: Apache-2.0
// Common code of the fuzz targets. A target is one file that defines LLVMFuzzerTestOneInput;
// libFuzzer calls it in the asan preset, replay.cc elsewhere. A target accepts its input or refuses
// it with an InputError. Any other exception leaves the target and ends the process: a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "isa/base/input_error.h"

namespace shflsim::fuzz {

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Calls `use`, which may refuse its input.
template <class Use>
void try_input(Use use) {
  try {
    use();
  } catch (const InputError&) {
    // refused, in one line
  }
}

/// A file that is in no folder, for readers that take a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  int descriptor_ = -1;
  std::string path_;
};

/// A folder for readers that look for files next to the one they read; deleted with the object.
class MemoryFolder {
 public:
  MemoryFolder();
  ~MemoryFolder();
  MemoryFolder(const MemoryFolder&) = delete;
  MemoryFolder& operator=(const MemoryFolder&) = delete;
  /// Writes a file and returns its path.
  std::string write(const std::string& name, std::string_view bytes) const;

 private:
  std::string path_;
};

/// Removes the text before the next `separator` from `text` and returns it; all of `text` if none.
std::string_view take_part(std::string_view* text, std::string_view separator);

}  // namespace shflsim::fuzz
