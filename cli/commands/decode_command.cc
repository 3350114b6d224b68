// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/options/arch_option.h"
#include "cli/options/command.h"
#include "isa/base/input_error.h"
#include "isa/base/word_text.h"
#include "isa/codec/codec.h"

namespace shflsim::cli {
namespace {

constexpr size_t kShortDigits = 16;
constexpr size_t kLongDigits = 32;

[[noreturn]] void fail_word(const std::string& text, isa::Arch arch) {
  if (isa::family_of(arch) == isa::Family::kMaxwell)
    throw InputError("'" + text + "' is no word; expected up to 16 hexadecimal digits");
  throw InputError("'" + text + "' is no word of " + isa::name_of(arch) +
                   "; expected 32 hexadecimal digits, or two times 16 as a listing has them");
}

size_t digits_in(const std::string& text) { return isa::hex_digits(text).size(); }

/// Reads the word at `*at` and moves `*at` behind it.
isa::Word next_word(const std::vector<std::string>& texts, isa::Arch arch, size_t* at) {
  const std::string& text = texts[(*at)++];
  const bool is_short = isa::family_of(arch) == isa::Family::kMaxwell;
  const size_t digits = digits_in(text);
  const bool has_pair =
      digits == kShortDigits && *at < texts.size() && digits_in(texts[*at]) == kShortDigits;
  if (is_short ? digits == 0 || digits > kShortDigits : digits != kLongDigits && !has_pair)
    fail_word(text, arch);
  const isa::Word word = *isa::word_of_hex(text);
  if (is_short || digits == kLongDigits) return word;
  return {word.low, isa::word_of_hex(texts[(*at)++])->low};
}

std::string text_of_word(const isa::Word& word, isa::Arch arch) {
  isa::Instruction instruction;
  const std::string problem = isa::family_of(arch) == isa::Family::kMaxwell
                                  ? isa::decode(word.low, 0, isa::Control{}, &instruction)
                                  : isa::decode(arch, word, 0, &instruction);
  if (!problem.empty()) throw InputError(problem);
  return isa::text_of(instruction);
}

struct DecodeOptions : OptionGroup {
  Strings words;
  ArchOption arch;

  void list(OptionList& list) {
    list.group("options", this);
    list.arguments("word", &words, "WORD",
                   "words of 64 bits, hexadecimal; of 128 from sm_70 on, or both halves of each, "
                   "the lower one first");
    arch.list(list);
  }
};

int decode(const DecodeOptions& options) {
  Strings texts;
  for (size_t at = 0; at < options.words.size();) {
    const isa::Word word = next_word(options.words, options.arch.arch, &at);
    texts.push_back(text_of_word(word, options.arch.arch));
  }
  for (const std::string& text : texts) std::cout << text << "\n";
  return kFine;
}

}  // namespace

const Command kDecode = command("decode", "print the instructions of machine words",
                                "shflsim decode WORD... [--arch ARCH]",
                                "  shflsim decode ef17007cf1070001\n"
                                "  shflsim decode --arch sm_90 000e6200000e0000081f000003077f89\n",
                                decode);

}  // namespace shflsim::cli
