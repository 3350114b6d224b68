// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "isa/codec.h"

namespace {

using namespace shflsim::isa;

/// A word that decodes must come back from its own text.
void check_word(uint64_t word, uint32_t address, uint32_t control) {
  Instruction instruction;
  if (!decode(word, address, control_from_field(control), &instruction).empty()) return;
  if (encode(text_of(instruction), address).word != word) std::abort();
}

/// A text is refused with a column inside it, or its word has a text that means the same word.
void check_text(std::string_view text) {
  try {
    const Encoded encoded = encode(text, 0x1008);
    Instruction instruction;
    if (decode(encoded.word, 0x1008, Control{}, &instruction).empty()) {
      check_word(encoded.word, 0x1008, 0);
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
  check_text(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
