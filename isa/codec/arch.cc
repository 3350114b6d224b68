// SPDX-License-Identifier: Apache-2.0
#include "isa/codec/arch.h"

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "isa/base/text_cursor.h"

namespace shflsim::isa {
namespace {

/// An architecture, and the numbers of the chips that share its words (CUDA binary utilities).
struct Row {
  Arch arch;
  unsigned number;
  std::vector<unsigned> others;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {Arch::kSm50, 50, {52, 53, 60, 61, 62}},
      {Arch::kSm70, 70, {}},
      {Arch::kSm72, 72, {}},
      {Arch::kSm75, 75, {}},
      {Arch::kSm80, 80, {}},
      {Arch::kSm86, 86, {87, 88}},
      {Arch::kSm89, 89, {}},
      {Arch::kSm90, 90, {}},
      {Arch::kSm100, 100, {101, 103, 110}},
      {Arch::kSm120, 120, {121}},
  };
  return table;
}

}  // namespace

Family family_of(Arch arch) { return arch == Arch::kSm50 ? Family::kMaxwell : Family::kSm70; }

unsigned number_of(Arch arch) { return rows()[static_cast<size_t>(arch)].number; }

std::string name_of(Arch arch) { return "sm_" + std::to_string(number_of(arch)); }

std::optional<Arch> arch_numbered(unsigned number) {
  for (const Row& row : rows()) {
    if (row.number == number) return row.arch;
    for (const unsigned other : row.others) {
      if (other == number) return row.arch;
    }
  }
  return std::nullopt;
}

Arch arch_named(std::string_view name) {
  std::string_view digits = name.substr(0, 3) == "sm_" ? name.substr(3) : "";
  if (!digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) digits.remove_suffix(1);
  const auto number = whole_number(digits);
  const auto arch =
      number && *number < 1000 ? arch_numbered(static_cast<unsigned>(*number)) : std::nullopt;
  if (arch) return *arch;
  std::vector<std::string> names;
  for (const Row& row : rows()) names.push_back(name_of(row.arch));
  throw InputError("unknown architecture '" + std::string(name) + "'" + suggestion(name, names));
}

}  // namespace shflsim::isa
