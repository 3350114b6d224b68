// SPDX-License-Identifier: Apache-2.0
// Numbers in an instruction's text: integers, and floats as their bit patterns.
#include <cstdlib>
#include <cstring>
#include <string>

#include "isa/base/bits.h"
#include "isa/base/bounded.h"
#include "isa/base/text_cursor.h"

namespace shflsim::isa {
namespace {

/// NaN: see is_printable in isa/codec/decode.cc.
uint64_t bits_named(std::string_view name, bool is_short) {
  const uint64_t sign = name[0] == '-' ? uint64_t{1} << (is_short ? 31 : 63) : 0;
  const bool is_nan = name.back() == 'N';
  if (is_short) return sign | (is_nan ? 0x7FC00000u : 0x7F800000u);
  if (name[1] == 'S') return sign | (uint64_t{0x7FF4u} << 48);
  return sign | (uint64_t{is_nan ? 0x7FF8u : 0x7FF0u} << 48);
}

uint64_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

uint64_t bits_of(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

bool half_of(uint64_t bits, uint64_t* half) {
  const int exponent = static_cast<int>((bits >> 52) & 0x7FF) - 1023;
  const uint64_t fraction = bits & low_mask(52);
  const uint64_t sign = bits >> 63 << 15;
  *half = sign;
  if ((bits << 1) == 0) return true;
  if (exponent == 1024) {
    *half |= fraction != 0 ? 0x7E00u : 0x7C00u;
    return true;
  }
  if (exponent < -24 || exponent > 15) return false;
  const unsigned dropped = exponent < -14 ? static_cast<unsigned>(42 - 14 - exponent) : 42u;
  const uint64_t significand = fraction | (uint64_t{1} << 52);
  if ((significand & low_mask(dropped)) != 0) return false;
  const uint64_t kept = significand >> dropped;
  *half |= exponent < -14 ? kept : kept + (static_cast<uint64_t>(exponent + 14) << 10);
  return true;
}

bool TextCursor::take_number(int64_t* value) {
  skip_spaces();
  const std::string_view rest = text_.substr(at_);
  const bool minus = !rest.empty() && rest.front() == '-';
  const size_t sign = minus || (!rest.empty() && rest.front() == '+') ? 1 : 0;
  const std::string_view digits = leading_name(rest.substr(sign));
  const std::optional<uint64_t> magnitude = whole_number(digits);
  if (!magnitude) return false;
  *value = static_cast<int64_t>(minus ? 0 - *magnitude : *magnitude);
  at_ += sign + digits.size();
  return true;
}

bool TextCursor::take_float(unsigned size, uint64_t* bits) {
  skip_spaces();
  const bool is_short = size == 32;
  const std::string_view named[] = {"+INF", "-INF", "INF", "+QNAN", "-QNAN", "+SNAN", "-SNAN"};
  for (const std::string_view name : named) {
    if (!take_text(name)) continue;
    *bits = bits_named(name, is_short);
    return true;
  }
  size_t end = at_;
  while (end < text_.size() && (is_word(text_[end]) || std::strchr(".+-", text_[end]))) ++end;
  const std::string number(text_.substr(at_, end - at_));
  const size_t digit = number.find_first_not_of("+-");
  if (digit == std::string::npos || std::isdigit(static_cast<unsigned char>(number[digit])) == 0 ||
      number.compare(digit, 2, "0x") == 0) {
    return false;
  }
  char* stop = nullptr;
  *bits = is_short ? bits_of(std::strtof(number.c_str(), &stop))
                   : bits_of(std::strtod(number.c_str(), &stop));
  if (stop[-1] == '.') --stop;  // the point of a suffix such as ".NEG"
  at_ += static_cast<size_t>(stop - number.c_str());
  return true;
}

}  // namespace shflsim::isa
