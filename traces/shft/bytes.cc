// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/bytes.h"

#include "isa/base/input_error.h"

namespace shflsim::traces {

void Place::fail(const std::string& what) const {
  throw InputError({*file}, "offset " + std::to_string(offset) + ": " + what);
}

uint64_t ByteReader::number_upto(uint64_t most, const char* what) {
  const uint64_t value = number();
  if (value > most) {
    place_.fail("damaged: " + std::string(what) + " is " + std::to_string(value) +
                "; expected at most " + std::to_string(most));
  }
  return value;
}

std::string ByteReader::text() {
  const uint64_t size = number();
  if (size > static_cast<uint64_t>(end_ - at_)) fail_short();
  std::string value(at_, size);
  at_ += size;
  return value;
}

void ByteReader::fail_short() const {
  place_.fail("damaged: the section ends early; expected more bytes in it");
}

}  // namespace shflsim::traces
