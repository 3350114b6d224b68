// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/dialects/cubin_image.h"

namespace shflsim::isa {

/// Source file and line of each instruction of a cubin: the DWARF line table that `nvcc -lineinfo`
/// writes. Without a table that can be read no line is known: only reports need lines.
class LineTable {
 public:
  LineTable(const SourceText& source, const CubinImage& image);

  /// Of the instruction at this byte of a section of code.
  SourceLine at(uint32_t section, uint64_t offset) const;
  /// By SourceLine::file, as the compiler was given them.
  const std::vector<std::string>& files() const { return files_; }

 private:
  void add(uint64_t place, const char* file, int number);

  std::vector<std::string> files_;
  std::map<std::string, uint32_t> numbers_;  ///< file numbers by name
  std::map<uint64_t, SourceLine> lines_;     ///< source lines by the first place of each
};

}  // namespace shflsim::isa
