// SPDX-License-Identifier: Apache-2.0
#include "isa/codec/control.h"

#include <cstdlib>

#include "isa/base/bits.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kFieldBits = 21;

/// The number in "PREFIXnSUFFIX", or -1.
int number_between(const std::string& name, const std::string& prefix, const std::string& suffix) {
  if (name.size() <= prefix.size() + suffix.size()) return -1;
  if (name.compare(0, prefix.size(), prefix) != 0) return -1;
  if (name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0) return -1;
  const std::string digits =
      name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  if (digits.size() > 2 || digits.find_first_not_of("0123456789") != std::string::npos) return -1;
  return std::atoi(digits.c_str());
}

}  // namespace

Control control_from_field(uint32_t bits) {
  Control control;
  control.issue_code = static_cast<uint8_t>(field(bits, 0, 5));
  control.write_barrier = static_cast<uint8_t>(field(bits, 5, 3));
  control.read_barrier = static_cast<uint8_t>(field(bits, 8, 3));
  control.wait_mask = static_cast<uint8_t>(field(bits, 11, 6));
  control.reuse = static_cast<uint8_t>(field(bits, 17, 4));
  return control;
}

uint32_t control_field(const Control& control) {
  uint64_t bits = 0;
  bits = with_field(bits, 0, 5, control.issue_code);
  bits = with_field(bits, 5, 3, control.write_barrier);
  bits = with_field(bits, 8, 3, control.read_barrier);
  bits = with_field(bits, 11, 6, control.wait_mask);
  bits = with_field(bits, 17, 4, control.reuse);
  return static_cast<uint32_t>(bits);
}

Control control_from_word(uint64_t control_word, unsigned k) {
  return control_from_field(static_cast<uint32_t>(field(control_word, kFieldBits * k, kFieldBits)));
}

uint64_t control_word_of(const Control& first, const Control& second, const Control& third) {
  uint64_t word = control_field(first);
  word = with_field(word, kFieldBits, kFieldBits, control_field(second));
  return with_field(word, 2 * kFieldBits, kFieldBits, control_field(third));
}

std::string issue_code_name(uint8_t code) {
  if (code == 0) return "";
  if (code < 16) return "WAIT" + std::to_string(code) + "_END_GROUP";
  if (code == 16) return "floxy2";
  if (code < 28) return "trans" + std::to_string(code - 16);
  static const char* const names[] = {"PIXBAR", "YIELD6", "YIELD8", "OFF_DECK"};
  return names[code - 28];
}

int issue_code_of(const std::string& name) {
  for (int code = 1; code < 32; ++code) {
    if (issue_code_name(static_cast<uint8_t>(code)) == name) return code;
  }
  if (name == "DRAIN") return 0;
  if (name == "YLD" || name == "YIELD") return 29;
  if (name == "YLD8") return 30;
  const int grouped = number_between(name, "W", "G");
  if (grouped >= 1 && grouped <= 15) return grouped;
  const int staying = number_between(name, "W", "");
  return staying >= 1 && staying <= 11 ? 16 + staying : -1;
}

std::string trailer_text(const Control& control) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : " ") + part; };
  std::string waits;
  for (unsigned n = 0; n < 6; ++n) {
    if (((control.wait_mask >> n) & 1u) != 0)
      waits += (waits.empty() ? "" : ",") + std::to_string(n);
  }
  if (!waits.empty()) add("&req={" + waits + "}");
  if (control.read_barrier != Control::kNoScoreboard)
    add("&rd=0x" + std::to_string(control.read_barrier));
  if (control.write_barrier != Control::kNoScoreboard)
    add("&wr=0x" + std::to_string(control.write_barrier));
  const std::string code = issue_code_name(control.issue_code);
  if (!code.empty()) add("?" + code);
  return text;
}

}  // namespace shflsim::isa
