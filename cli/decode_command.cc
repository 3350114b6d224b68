// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/arch_option.h"
#include "cli/command.h"
#include "isa/codec.h"
#include "isa/input_error.h"
#include "isa/word_text.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

constexpr size_t kShortDigits = 16;
constexpr size_t kLongDigits = 32;

[[noreturn]] void fail_word(const std::string& text, isa::Arch arch) {
  if (isa::family_of(arch) == isa::Family::kMaxwell)
    throw InputError("'" + text + "' is no word; expected up to 16 hexadecimal digits");
  throw InputError("'" + text + "' is no word of " + isa::name_of(arch) +
                   "; expected 32 hexadecimal digits, or two times 16 as a listing has them");
}

size_t digits_in(const std::string& text) { return isa::hex_digits(text).size(); }

/// The word that stands at `*at`, which is moved behind it.
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

int run(const std::vector<std::string>& arguments) {
  po::options_description options("options");
  options.add_options()("word",
                        po::value<std::vector<std::string>>()->value_name("WORD")->required(),
                        "words of 64 bits, hexadecimal; of 128 from sm_70 on, or both halves of "
                        "each, the lower one first");
  add_arch_option(options);
  po::positional_options_description positions;
  positions.add("word", -1);
  po::variables_map values;
  const Usage usage{"shflsim decode WORD... [--arch ARCH]",
                    "  shflsim decode ef17007cf1070001\n"
                    "  shflsim decode --arch sm_90 000e6200000e0000081f000003077f89\n"};
  if (!parse(arguments, usage, options, positions, &values)) return kFine;
  const isa::Arch arch = arch_of(values);
  const auto& words = values["word"].as<std::vector<std::string>>();
  std::vector<std::string> texts;
  for (size_t at = 0; at < words.size();)
    texts.push_back(text_of_word(next_word(words, arch, &at), arch));
  for (const std::string& text : texts) std::cout << text << "\n";
  return kFine;
}

}  // namespace

const Command kDecode = {"decode", "print the instructions that words stand for", run};

}  // namespace shflsim::cli
