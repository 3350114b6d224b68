// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "isa/codec/codec.h"

namespace {

using namespace shflsim::isa;

/// A word that decodes must come back from its own text.
void check_word(uint64_t word, uint32_t address, uint32_t control) {
  Instruction instruction;
  if (!decode(word, address, control_from_field(control), &instruction).empty()) return;
  if (encode(text_of(instruction), address).word.low != word) std::abort();
}

/// A word of sm_70 or later that decodes must come back from its fields and have a valid text.
void check_long_word(Arch arch, const Word& word, uint32_t address) {
  Instruction instruction;
  if (!decode(arch, word, address, &instruction).empty()) return;
  if (encode(instruction) != word) std::abort();
  encode(arch, text_of(instruction), address);
}

/// A text is refused with a column inside it, or its word is checked like any other.
void check_text(Arch arch, std::string_view text) {
  try {
    const Encoded encoded = encode(arch, text, 0x1008);
    if (arch == Arch::kSm50) {
      check_word(encoded.word.low, 0x1008, 0);
    } else {
      check_long_word(arch, encoded.word, 0x1008);
    }
  } catch (const SyntaxError& error) {
    if (error.column == 0 || error.column > text.size() + 1) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kWordBytes = sizeof(uint64_t) + 2 * sizeof(uint32_t);
  if (size >= kWordBytes) {
    uint64_t word;
    uint32_t address_and_control[2];
    std::memcpy(&word, data, sizeof word);
    std::memcpy(address_and_control, data + sizeof word, sizeof address_and_control);
    check_word(word, address_and_control[0], address_and_control[1]);
  }
  constexpr size_t kLongBytes = 2 * sizeof(uint64_t) + sizeof(uint32_t) + 1;
  if (size >= kLongBytes) {
    Word word;
    uint32_t address;
    std::memcpy(&word.low, data, sizeof word.low);
    std::memcpy(&word.high, data + sizeof word.low, sizeof word.high);
    std::memcpy(&address, data + sizeof word.low + sizeof word.high, sizeof address);
    const uint8_t arch = data[kLongBytes - 1] % kArches;
    if (arch != 0) check_long_word(static_cast<Arch>(arch), word, address);
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_text(Arch::kSm50, text);
  check_text(Arch::kSm90, text);
  check_text(Arch::kSm120, text);
  return 0;
}
