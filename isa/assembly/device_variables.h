// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/code/program.h"

namespace shflsim::isa {

/// The image of a file's __device__ variables, section by section, and each variable's offset.
struct DeviceVariables {
  static constexpr size_t kAlignment = 256;  ///< bytes, as cudaMalloc aligns

  std::vector<uint8_t> bytes;
  std::map<std::string, size_t> symbols;

  /// Adds a section; returns its offset in the image.
  size_t append(const std::vector<uint8_t>& section) {
    const size_t base = (bytes.size() + kAlignment - 1) / kAlignment * kAlignment;
    bytes.resize(base);
    bytes.insert(bytes.end(), section.begin(), section.end());
    return base;
  }
};

/// The place of a variable with a name.
struct NamedVariable {
  /// Program::variables; lower numbers are constant banks.
  static constexpr uint8_t kInImage = Program::VariableAddress::kInImage;
  std::string name;
  uint8_t bank = kInImage;
  uint64_t offset = 0;  ///< bytes
};

}  // namespace shflsim::isa
