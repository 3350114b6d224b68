// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "isa/codec.h"

namespace shflsim::isa {
namespace {

const std::map<uint8_t, const char*>& names() {
  static const std::map<uint8_t, const char*> table = {
      {0x00, "SR_LANEID"}, {0x20, "SR_TID"},     {0x21, "SR_TID.X"},   {0x22, "SR_TID.Y"},
      {0x23, "SR_TID.Z"},  {0x25, "SR_CTAID.X"}, {0x26, "SR_CTAID.Y"}, {0x27, "SR_CTAID.Z"},
      {0x28, "SR_NTID"},   {0x38, "SR_EQMASK"},  {0x39, "SR_LTMASK"},  {0x3a, "SR_LEMASK"},
      {0x3b, "SR_GTMASK"}, {0x3c, "SR_GEMASK"},  {0x50, "SR_CLOCKLO"}, {0x51, "SR_CLOCKHI"},
  };
  return table;
}

}  // namespace

std::string special_register_name(uint8_t number) {
  const auto entry = names().find(number);
  return entry != names().end() ? entry->second : "SR" + std::to_string(number);
}

int special_register_number(std::string_view name) {
  for (const auto& [number, text] : names()) {
    if (name == text) return number;
  }
  if (name.substr(0, 2) != "SR" || name.size() < 3 || name.size() > 5) return -1;
  int value = 0;
  for (const char c : name.substr(2)) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value <= 255 ? value : -1;
}

}  // namespace shflsim::isa
