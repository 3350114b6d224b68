// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace shflsim::traces {

/// Bytes that are written once and read back in pieces. Small amounts stay in memory; the rest goes
/// to an unnamed file in the folder for temporary files (TMPDIR, or /tmp), which the system removes
/// at the end. Throws InputError if that file cannot be written.
class SpillFile {
 public:
  SpillFile() = default;
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// Returns the offset of the bytes. They must be read as a whole.
  uint64_t append(const std::string& bytes);
  std::string read(uint64_t offset, size_t size) const;

 private:
  void spill();

  int descriptor_ = -1;
  uint64_t spilled_ = 0;  ///< bytes in the file
  std::string recent_;    ///< bytes that are not yet in the file
};

}  // namespace shflsim::traces
