// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "cli/options/arch_option.h"
#include "cli/options/command.h"
#include "isa/base/input_error.h"
#include "isa/codec/codec.h"

namespace shflsim::cli {
namespace {

std::string digits_of(const isa::Word& word, isa::Arch arch) {
  const bool is_short = isa::family_of(arch) == isa::Family::kMaxwell;
  return is_short ? fmt::format("{:016x}", word.low)
                  : fmt::format("{:016x}{:016x}", word.high, word.low);
}

std::string encoded(const std::string& text, isa::Arch arch) {
  try {
    const isa::Word word = isa::encode(arch, text, 0).word;
    isa::Instruction instruction;
    const std::string problem = isa::family_of(arch) == isa::Family::kMaxwell
                                    ? isa::decode(word.low, 0, isa::Control{}, &instruction)
                                    : isa::decode(arch, word, 0, &instruction);
    if (!problem.empty()) throw InputError(problem);
    return digits_of(word, arch);
  } catch (const isa::SyntaxError& error) {
    throw InputError({"'" + text + "'", 1, error.column}, error.what);
  }
}

struct EncodeOptions : OptionGroup {
  Strings texts;
  ArchOption arch;

  void list(OptionList& list) {
    list.group("options", this);
    list.arguments("text", &texts, "TEXT", "instructions, each quoted");
    arch.list(list);
  }
};

int encode(const EncodeOptions& options) {
  Strings words;
  for (const std::string& text : options.texts) words.push_back(encoded(text, options.arch.arch));
  for (const std::string& word : words) std::cout << word << "\n";
  return kFine;
}

}  // namespace

const Command kEncode =
    command("encode", "print the words of instructions", "shflsim encode 'TEXT'... [--arch ARCH]",
            "  shflsim encode 'SHFL.BFLY PT, R1, R0, 0x10, 0x1f'\n"
            "  shflsim encode --arch sm_90 'SHFL.BFLY PT, R1, R0, 0x10, 0x1f'\n",
            encode);

}  // namespace shflsim::cli
