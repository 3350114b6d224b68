// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shflsim::traces {

enum class RegisterFile : uint8_t { kGeneral, kUniform, kPredicate, kUniformPredicate };

/// An operand of a traced instruction. The tracer writes every register with its number: RZ is
/// R255, PT is P7. Up to version 5 it writes only general registers.
struct TracedRegister {
  uint8_t index = 0;
  RegisterFile file = RegisterFile::kGeneral;

  bool is_general() const { return file == RegisterFile::kGeneral; }
  bool operator<(const TracedRegister& other) const {
    return file != other.file ? file < other.file : index < other.index;
  }
  bool operator==(const TracedRegister& other) const {
    return file == other.file && index == other.index;
  }
};
using TracedRegisters = std::vector<TracedRegister>;

/// "R4", "UR4", "P0", "UP0".
std::string name_of(TracedRegister traced);
/// The register with this name; none for other names.
std::optional<TracedRegister> register_named(std::string_view name);

}  // namespace shflsim::traces
