// SPDX-License-Identifier: Apache-2.0
// Operands that only sm_70 and later have: uniform ones, convergence barriers, addresses of several
// parts, pairs of halves.
#include "isa/codec/matcher.h"

namespace shflsim::isa {
namespace {

/// The number after `prefix` in a name, below `count`; -1 for any other name.
int numbered(std::string_view name, std::string_view prefix, int count) {
  if (name.size() <= prefix.size() || name.size() > prefix.size() + 3) return -1;
  if (name.substr(0, prefix.size()) != prefix) return -1;
  int value = 0;
  for (const char c : name.substr(prefix.size())) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value < count ? value : -1;
}

}  // namespace

bool LongWordMatcher::take_uniform(unsigned position, unsigned width) {
  skip_spaces();
  const size_t start = at_;
  const std::string_view name = take_name();
  const int all = static_cast<int>(low_mask(width));
  const int index = name == "URZ" ? all : numbered(name, "UR", all);
  if (index < 0) {
    at_ = start;
    return false;
  }
  put(position, width, static_cast<uint64_t>(index));
  return true;
}

bool LongWordMatcher::match_uniform(const Token& token) {
  if (take_uniform(token.position, token.width)) return true;
  const uint64_t last = low_mask(token.width) - 1;
  return fail("a uniform register (UR0 to UR" + std::to_string(last) + " or URZ)");
}

bool LongWordMatcher::match_next_uniform(const Token& token) {
  skip_spaces();
  const size_t start = at_;
  const uint64_t next = field(word_, token.position, token.width) + 1;
  const std::string name = next < low_mask(token.width) ? "UR" + std::to_string(next) : "URZ";
  if (take_name() == name) return true;
  return fail_at(start, name + ", next to the uniform register before it");
}

bool LongWordMatcher::match_convergence(const Token& token) {
  skip_spaces();
  const size_t start = at_;
  const int index = numbered(take_name(), "B", 16);
  if (index < 0) {
    at_ = start;
    const bool is_near = text_.substr(start, 1) == "B";
    return note({start, is_near, "a convergence barrier (B0 to B15)"});
  }
  put(token.position, token.width, static_cast<uint64_t>(index));
  return true;
}

/// Two 16-bit floats, the upper one first.
bool LongWordMatcher::match_halves(const Token& token) {
  const auto format = mod_value_.find(Mod::k_bf16_v2);
  const bool is_bfloat = format != mod_value_.end() && format->second != 0;
  uint64_t value = 0;
  for (int i = 0; i < 2; ++i) {
    if (i == 1 && !take(',')) return fail("','");
    const size_t start = at_;
    uint64_t bits = 0, half = 0;
    if (!take_float(is_bfloat ? 32 : 64, &bits)) return fail("a number");
    const bool fits = is_bfloat ? (bits & 0xFFFF) == 0 : half_of(bits, &half);
    if (!fits) return fail_value(start, "a number that fits 16 bits");
    value = value << 16 | (is_bfloat ? bits >> 16 : half);
  }
  put(token.position, token.width, value);
  return true;
}

/// A branch target, encoded as the distance from the next word in units of the field.
bool LongWordMatcher::match_distance(const Token& token) {
  skip_spaces();
  const size_t start = at_;
  int64_t target = -1;
  if (!match_label(&target)) return false;
  const int64_t unit = int64_t{1} << token.shift;
  const int64_t distance = target - static_cast<int64_t>(address_) - 16;
  const int64_t units = distance / unit;
  const int64_t most = int64_t{1} << (token.width - 1);
  if (distance % unit != 0 || units < -most || units >= most)
    return fail_value(start,
                      "a target that is " + std::to_string(unit) + " bytes or a multiple away");
  put_value(token, static_cast<uint64_t>(units));
  return true;
}

/// cx[UR4][0x8]
bool LongWordMatcher::match_bindless(const Token& token) {
  const AddressFields& address = token.address;
  if (!take('[')) return fail("'['");
  if (!take_uniform(address.uniform, address.uniform_width)) return fail("a uniform register");
  put_bit(address.uniform_flag);
  return take(']') || fail("']'");
}

bool LongWordMatcher::match_descriptor(const AddressFields& address) {
  if (!take('[')) return fail("'['");
  if (!take_uniform(address.uniform, address.uniform_width)) return fail("a uniform register");
  put_bit(address.uniform_flag);
  put_bit(address.descriptor_flag);
  put_bit(address.shown_flag);
  return take(']') || fail("']'");
}

/// The suffix of an address register: scale or width.
bool LongWordMatcher::match_extent(const AddressFields& address) {
  static const std::vector<const char*> scales = {"", ".X4", ".X8", ".X16"};
  if (address.scale != Token::kNoBit)
    put(address.scale, 2, static_cast<uint64_t>(take_one_of(scales)));
  if (address.wide_flag == Token::kNoBit) return true;
  if (take_text(".64")) {
    put_bit(address.wide_flag);
    // A listing that hides descriptors prints .64 alone.
    if (address.descriptor_flag != Token::kNoBit || address.leaves_out_zero)
      put_bit(address.uniform_flag);
    has_extent_ = true;
  } else if (take_text(".U32")) {
    if (address.leaves_out_zero) put_bit(address.uniform_flag);
    has_extent_ = true;
  }
  return true;
}

/// One of R, UR and the offset.
bool LongWordMatcher::match_term(const Token& token, bool is_first) {
  const AddressFields& address = token.address;
  const bool may_be_uniform = address.uniform != Token::kNoBit;
  if (may_be_uniform && take_uniform(address.uniform, address.uniform_width)) {
    adds_uniform_ = true;
    put_bit(address.uniform_flag);
    return true;
  }
  if (address.base != Token::kNoBit) {
    const int index = take_register();
    if (index >= 0) {
      put(address.base, 8, static_cast<uint64_t>(index));
      return match_extent(address);
    }
  }
  Token offset = token;
  if (is_first && !may_be_uniform) offset.immediate.is_signed = token.type == Token::Type::kIndexed;
  return match_integer(offset) || fail("a register, a uniform register or an offset");
}

bool LongWordMatcher::match_terms(const Token& token) {
  if (!match_term(token, true)) return false;
  while (take('+')) {
    if (!match_term(token, false)) return false;
  }
  return true;
}

/// An address of several parts: desc[UR4][R2.64+UR5+0x8].
bool LongWordMatcher::match_address(const Token& token) {
  const AddressFields& address = token.address;
  const bool must_have_uniform =
      address.uniform_flag != Token::kNoBit && field(word_, address.uniform_flag, 1) != 0;
  const bool may_have_descriptor = address.descriptor_flag != Token::kNoBit;
  const bool has_descriptor = may_have_descriptor && take_text("desc");
  if (has_descriptor && !match_descriptor(address)) return false;
  if (!take('[')) return fail("an address '['");
  if (address.base != Token::kNoBit) put(address.base, 8, kRZ);
  const bool begins_as_zero = address.uniform_flag == Token::kNoBit || address.leaves_out_zero;
  if (address.uniform != Token::kNoBit && begins_as_zero && !has_descriptor)
    put(address.uniform, address.uniform_width, low_mask(address.uniform_width));
  put_value(token, 0);
  has_extent_ = adds_uniform_ = false;
  if (!match_terms(token)) return false;
  const bool is_bare = !has_descriptor && !adds_uniform_ && !address.leaves_out_zero;
  const bool is_wide =
      address.wide_flag != Token::kNoBit && field(word_, address.wide_flag, 1) != 0;
  const bool has_hidden =
      has_extent_ && is_wide && !adds_uniform_ && address.shown_flag != Token::kNoBit;
  if (has_hidden) put_bit(address.descriptor_flag);
  const bool lacks_uniform = must_have_uniform || (has_extent_ && address.uniform != Token::kNoBit);
  if (lacks_uniform && is_bare && !has_hidden) return fail("a uniform register");
  if (adds_uniform_ && !has_extent_) put_bit(address.wide_flag);
  return take(']') || fail("']' or '+'");
}

}  // namespace shflsim::isa
