// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace shflsim::traces {

/// Bytes that are written once and read back in pieces while the program runs. They stay in memory
/// while they are few, and go on in a file without a name, which is gone with the program, in the
/// folder for temporary files (TMPDIR, or /tmp). Throws InputError where that cannot be written.
class SpillFile {
 public:
  SpillFile() = default;
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// Where the bytes stand, to be asked for as a whole.
  uint64_t append(const std::string& bytes);
  std::string read(uint64_t offset, size_t size) const;

 private:
  void spill();

  int descriptor_ = -1;
  uint64_t spilled_ = 0;  ///< bytes in the file
  std::string recent_;    ///< bytes that are not yet in the file
};

}  // namespace shflsim::traces
