// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/words.h"

#include <algorithm>

#include "isa/base/input_error.h"

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

TracedRegister Words::traced_register(const char* what) {
  const std::string_view text = word(what);
  const std::optional<TracedRegister> found = register_named(text);
  if (!found)
    fail("'" + std::string(text) + "' is no register; expected " + what +
         ", R0 to R255, UR0 to UR255, P0 to P7 or UP0 to UP7");
  return *found;
}

void Words::fail(const std::string& what) const {
  throw InputError({place_.path, place_.line, place_.column + static_cast<unsigned>(begin_)}, what);
}

void Words::fail_number(std::string_view text, const char* what) const {
  fail("'" + std::string(text) + "' is no number; expected " + what);
}

}  // namespace shflsim::traces
