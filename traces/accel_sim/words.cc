// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/words.h"

#include <algorithm>

#include "isa/base/input_error.h"
#include "isa/codec/instruction.h"
#include "isa/lanes/lane_map.h"

namespace shflsim::traces {

std::string_view Words::word(const char* what) {
  begin_ = text_.find_first_not_of(" \t", end_);
  if (begin_ == std::string_view::npos) {
    begin_ = text_.size();
    fail(std::string("the line ends; expected ") + what);
  }
  end_ = std::min(text_.find_first_of(" \t", begin_), text_.size());
  return text_.substr(begin_, end_ - begin_);
}

uint64_t Words::number_upto(uint64_t most, const char* what) {
  const auto value = number<uint64_t>(what);
  if (value > most) fail(std::to_string(value) + " is out of range; expected " + what);
  return value;
}

uint8_t Words::register_index(const char* what) {
  const std::string_view text = word(what);
  unsigned index = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), index);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (text[0] != 'R' || !whole || index > isa::kRZ)
    fail("'" + std::string(text) + "' is no register; expected " + what + ", R0 to R255");
  return static_cast<uint8_t>(index);
}

void Words::fail(const std::string& what) const {
  throw InputError({place_.path, place_.line, place_.column + static_cast<unsigned>(begin_)}, what);
}

void Words::fail_number(std::string_view text, const char* what) const {
  fail("'" + std::string(text) + "' is no number; expected " + what);
}

}  // namespace shflsim::traces
