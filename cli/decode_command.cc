// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "cli/arch_option.h"
#include "cli/command.h"
#include "isa/codec.h"
#include "isa/input_error.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

isa::Word word_of(const std::string& text, isa::Arch arch) {
  const size_t most = isa::family_of(arch) == isa::Family::kMaxwell ? 16 : 32;
  const std::string digits = text.compare(0, 2, "0x") == 0 ? text.substr(2) : text;
  const bool valid = !digits.empty() && digits.size() <= most &&
                     digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (!valid) {
    throw InputError("'" + text + "' is no word; expected up to " + std::to_string(most) +
                     " hexadecimal digits");
  }
  const size_t upper = digits.size() - std::min<size_t>(digits.size(), 16);
  return {std::strtoull(digits.substr(upper).c_str(), nullptr, 16),
          std::strtoull(digits.substr(0, upper).c_str(), nullptr, 16)};
}

std::string text_of_word(const std::string& text, isa::Arch arch) {
  const isa::Word word = word_of(text, arch);
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
                        "words of 64 bits, hexadecimal; of 128 from sm_70 on");
  add_arch_option(options);
  po::positional_options_description positions;
  positions.add("word", -1);
  po::variables_map values;
  const Usage usage{"shflsim decode WORD... [--arch ARCH]",
                    "  shflsim decode ef17007cf1070001\n"
                    "  shflsim decode --arch sm_90 000e6200000e0000081f000003077f89\n"};
  if (!parse(arguments, usage, options, positions, &values)) return kFine;
  const isa::Arch arch = arch_of(values);
  std::vector<std::string> texts;
  for (const std::string& text : values["word"].as<std::vector<std::string>>())
    texts.push_back(text_of_word(text, arch));
  for (const std::string& text : texts) std::cout << text << "\n";
  return kFine;
}

}  // namespace

const Command kDecode = {"decode", "print the instructions that words stand for", run};

}  // namespace shflsim::cli
