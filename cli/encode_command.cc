// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "cli/command.h"
#include "isa/codec.h"
#include "isa/input_error.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

uint64_t encoded(const std::string& text) {
  try {
    const uint64_t word = isa::encode(text, 0).word;
    isa::Instruction instruction;
    const std::string problem = isa::decode(word, 0, isa::Control{}, &instruction);
    if (!problem.empty()) throw InputError(problem);
    return word;
  } catch (const isa::SyntaxError& error) {
    throw InputError({"'" + text + "'", 1, error.column}, error.what);
  }
}

int run(const std::vector<std::string>& arguments) {
  po::options_description options("options");
  options.add_options()("text",
                        po::value<std::vector<std::string>>()->value_name("TEXT")->required(),
                        "instructions, each quoted");
  po::positional_options_description positions;
  positions.add("text", -1);
  po::variables_map values;
  const Usage usage{"shflsim encode 'TEXT'...",
                    "  shflsim encode 'SHFL.BFLY PT, R1, R0, 0x10, 0x1f'\n"};
  if (!parse(arguments, usage, options, positions, &values)) return kFine;
  std::vector<uint64_t> words;
  for (const std::string& text : values["text"].as<std::vector<std::string>>())
    words.push_back(encoded(text));
  for (const uint64_t word : words) std::cout << fmt::format("{:016x}\n", word);
  return kFine;
}

}  // namespace

const Command kEncode = {"encode", "print the SPA 5.0 words of instructions", run};

}  // namespace shflsim::cli
