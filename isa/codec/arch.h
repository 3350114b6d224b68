// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shflsim::isa {

/// The family of instruction words.
enum class Family : uint8_t {
  kMaxwell,  ///< SPA 5.0: sm_50 to sm_62
  kSm70,     ///< sm_70 and later
};

/// Architecture of an instruction word. SPA 5.0 has the same words from sm_50 to sm_62; later words
/// are of one family, whose operations and fields differ from chip to chip.
enum class Arch : uint8_t {
  kSm50,
  kSm70,
  kSm72,
  kSm75,
  kSm80,
  kSm86,
  kSm89,
  kSm90,
  kSm100,
  kSm120
};
constexpr unsigned kArches = 10;

Family family_of(Arch arch);
/// The number in the architecture's name: 90 for sm_90.
unsigned number_of(Arch arch);
/// "sm_90".
std::string name_of(Arch arch);
/// The architecture with this number, or the one with equal instruction words: 53 is sm_50, 87 is
/// sm_86, 103 is sm_100. None if there is no such architecture.
std::optional<Arch> arch_numbered(unsigned number);
/// The architecture named "sm_90" or "sm_90a". Throws InputError with the nearest name if unknown.
Arch arch_named(std::string_view name);

/// Uniform registers UR: none before sm_75. URZ is the number above the last one.
constexpr bool has_uniform(unsigned number) { return number >= 75; }
/// Bits of a uniform register's number.
constexpr uint8_t uniform_bits(unsigned number) { return number >= 100 ? 8 : 6; }

}  // namespace shflsim::isa
