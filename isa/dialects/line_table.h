// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/dialects/cubin_image.h"

namespace shflsim::isa {

/// Source file and line of each instruction of a cubin, from the DWARF line table that `nvcc
/// -lineinfo` writes. If no table can be read, no lines are known; only reports need lines.
class LineTable {
 public:
  LineTable(const SourceText& source, const CubinImage& image);

  /// The line of the instruction at this byte of a code section.
  SourceLine at(uint32_t section, uint64_t offset) const;
  /// File names as given to the compiler; SourceLine::file is the index.
  const std::vector<std::string>& files() const { return files_; }

 private:
  void add(uint64_t place, const char* file, int number);

  std::vector<std::string> files_;
  std::map<std::string, uint32_t> numbers_;  ///< file numbers by name
  std::map<uint64_t, SourceLine> lines_;     ///< source lines by the first place of each line
};

}  // namespace shflsim::isa
