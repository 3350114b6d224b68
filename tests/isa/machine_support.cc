// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/machine_support.h"

#include <fmt/format.h>

#include <stdexcept>

#include "isa/base/input_error.h"
#include "isa/check/checker.h"
#include "isa/codec/codec.h"

namespace shflsim::isa {
namespace {

Word word_of(Arch arch, const std::string& text, uint32_t address, const Names& names) {
  try {
    return encode(arch, text, address, names).word;
  } catch (const SyntaxError& error) {
    throw std::logic_error(text + ": " + error.what);
  }
}

std::string decoded(Arch arch, const Word& word, uint32_t address, Instruction* out) {
  if (family_of(arch) == Family::kMaxwell) return decode(word.low, address, {}, out);
  return decode(arch, word, address, out);
}

}  // namespace

Program assemble(const std::vector<std::string>& lines, Arch arch) {
  const Family family = family_of(arch);
  std::map<std::string, int64_t, std::less<>> labels;
  std::vector<std::string> texts;
  for (const std::string& line : lines) {
    if (line.back() == ':') {
      labels[line.substr(0, line.size() - 1)] = address_of(texts.size(), family);
    } else {
      texts.push_back(line);
    }
  }
  texts.emplace_back("EXIT");
  Names names;
  names.label_named = [&labels](std::string_view name) {
    const auto label = labels.find(name);
    return label == labels.end() ? int64_t{-1} : label->second;
  };
  Program program;
  program.name = "test";
  program.arch = arch;
  for (size_t i = 0; i < texts.size(); ++i) {
    Instruction instruction;
    const uint32_t address = address_of(i, family);
    const Word word = word_of(arch, texts[i], address, names);
    const std::string problem = decoded(arch, word, address, &instruction);
    if (!problem.empty()) throw std::logic_error(texts[i] + ": " + problem);
    program.code.push_back(instruction);
  }
  program.texts = texts;
  return program;
}

std::string Experiment::path(uint32_t warp) const {
  std::string text;
  for (const Witness::Step& step : witness.steps) {
    if (step.warp == warp) text += (text.empty() ? "" : " ") + std::to_string(step.index);
  }
  return text;
}

std::vector<std::string> findings(const Program& program) {
  Launch launch;
  launch.block = {kLanes, 1, 1};
  DeviceMemory memory;
  Checker checker(program);
  execute(program, launch, memory, checker);
  std::vector<std::string> all;
  for (const CheckFinding& finding : checker.finish())
    all.push_back(fmt::format("{} {:x} {}", finding.index, finding.lanes, finding.what));
  return all;
}

std::string Experiment::failure() {
  try {
    run();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Experiment with_lane_numbers(const std::vector<std::string>& lines, Arch arch) {
  Experiment one(lines, arch);
  std::vector<uint32_t> lanes;
  for (uint32_t lane = 0; lane < kLanes; ++lane) lanes.push_back(lane);
  one.set_lanes(0, lanes);
  return one;
}

}  // namespace shflsim::isa
