// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/ptx/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "isa/base/input_error.h"
#include "isa/machine/variables.h"

namespace shflsim::isa {

Program ptx_program(const std::string& text, const std::string& kernel, Lowering lowering) {
  const SourceText source{"t.ptx", text, "", lowering};
  if (!Dialects::named("ptx").recognises(source))
    throw InputError({source.file}, "not recognised as PTX");
  return find_kernel(*Dialects::named("ptx").open(source), kernel, source.file);
}

std::string ptx_error(const std::string& text) {
  try {
    ptx_program(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

uint8_t Fragment::number_of(const std::string& name) const { return program_.symbols.at(name); }

Fragment& Fragment::set(const std::string& name, std::vector<uint32_t> words) {
  launch_.registers.push_back({number_of(name), std::move(words)});
  return *this;
}

Fragment& Fragment::run() {
  MachineOptions options;
  options.keep_registers = true;
  launch_.block = {kLanes, 1, 1};
  DeviceMemory memory;
  outcome_ = execute(program_, launch_, memory, witness_, options);
  return *this;
}

std::vector<uint32_t> Fragment::words(const std::string& name) const {
  const LaneValues& row = outcome_.warps.at(0).values.at(number_of(name));
  return {row.begin(), row.end()};
}

std::vector<uint32_t> hashed_words(uint32_t count) {
  std::vector<uint32_t> words;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t x = i * 2654435761u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    words.push_back(x ^ (x >> 13));
  }
  return words;
}

std::vector<uint32_t> run_kernel(const Program& program, uint32_t blocks, uint32_t threads,
                                 const std::vector<uint32_t>& in, size_t out_words,
                                 Witness* witness) {
  DeviceMemory memory;
  std::vector<uint8_t> bytes(in.size() * 4);
  std::memcpy(bytes.data(), in.data(), bytes.size());
  const uint64_t pointers[] = {memory.allocate(bytes),
                               memory.allocate(std::vector<uint8_t>(out_words * 4, 0xcd))};
  const uint32_t count = static_cast<uint32_t>(in.size());
  Launch launch;
  launch.grid = {blocks, 1, 1};
  launch.block = {threads, 1, 1};
  launch.local_bytes = std::max(launch.local_bytes, uint32_t{program.local_bytes});
  add_variables(program, memory, &launch);
  launch.parameters.resize(20);
  std::memcpy(launch.parameters.data(), pointers, sizeof pointers);
  std::memcpy(launch.parameters.data() + sizeof pointers, &count, sizeof count);
  execute(program, launch, memory, *witness);
  std::vector<uint32_t> out(out_words);
  std::memcpy(out.data(), memory.bytes(pointers[1]).data(), out_words * 4);
  return out;
}

std::vector<uint32_t> words_of(const std::string& text) {
  std::vector<uint32_t> words;
  for (const Lowering lowering : {Lowering::kPlain, Lowering::kOptimised}) {
    Witness witness;
    const std::vector<uint32_t> out = run_kernel(ptx_program(text, "", lowering), 1, kLanes,
                                                 hashed_words(kLanes), kLanes, &witness);
    EXPECT_TRUE(words.empty() || words == out);
    EXPECT_TRUE(witness.uses.empty());
    words = out;
  }
  return words;
}

}  // namespace shflsim::isa
