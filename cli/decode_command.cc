// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>

#include "cli/command.h"
#include "isa/codec.h"
#include "isa/input_error.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

uint64_t word_of(const std::string& text) {
  const std::string digits = text.compare(0, 2, "0x") == 0 ? text.substr(2) : text;
  const bool valid = !digits.empty() && digits.size() <= 16 &&
                     digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (!valid) throw InputError("'" + text + "' is no word; expected up to 16 hexadecimal digits");
  return std::strtoull(digits.c_str(), nullptr, 16);
}

int run(const std::vector<std::string>& arguments) {
  po::options_description options("options");
  options.add_options()("word",
                        po::value<std::vector<std::string>>()->value_name("WORD")->required(),
                        "64-bit words, hexadecimal");
  po::positional_options_description positions;
  positions.add("word", -1);
  po::variables_map values;
  const Usage usage{"shflsim decode WORD...", "  shflsim decode ef17007cf1070001\n"};
  if (!parse(arguments, usage, options, positions, &values)) return kFine;
  std::vector<std::string> texts;
  for (const std::string& text : values["word"].as<std::vector<std::string>>()) {
    isa::Instruction instruction;
    const std::string problem = isa::decode(word_of(text), 0, isa::Control{}, &instruction);
    if (!problem.empty()) throw InputError(problem);
    texts.push_back(isa::text_of(instruction));
  }
  for (const std::string& text : texts) std::cout << text << "\n";
  return kFine;
}

}  // namespace

const Command kDecode = {"decode", "print the instructions that SPA 5.0 words stand for", run};

}  // namespace shflsim::cli
