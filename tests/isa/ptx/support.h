// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/dialects/source.h"
#include "isa/machine/machine.h"
#include "tests/isa/machine_support.h"

namespace shflsim::isa {

/// The kernel of a PTX text, as if the text were the file "t.ptx".
Program ptx_program(const std::string& text, const std::string& kernel = "",
                    Lowering lowering = Lowering::kOptimised);
/// The message of the InputError that a PTX text raises; "" if none.
std::string ptx_error(const std::string& text);

/// A fragment on one warp: sets its registers by name, runs it, and reads its registers.
class Fragment {
 public:
  explicit Fragment(const std::string& text) : program_(ptx_program(text)) {}
  Fragment& set(const std::string& name, std::vector<uint32_t> words);
  Fragment& run();
  std::vector<uint32_t> words(const std::string& name) const;
  const Program& program() const { return program_; }
  const Witness& witness() const { return witness_; }

 private:
  uint8_t number_of(const std::string& name) const;

  Program program_;
  Launch launch_;
  Witness witness_;
  Outcome outcome_;
};

/// f(lane) for all lanes.
template <class F>
std::vector<uint32_t> by_lane(F f) {
  std::vector<uint32_t> words;
  for (uint32_t lane = 0; lane < kLanes; ++lane) words.push_back(f(lane));
  return words;
}

/// The n input words of the conformance kernels (a hash of the index).
std::vector<uint32_t> hashed_words(uint32_t count);

/// Runs a kernel (const uint32_t* in, uint32_t* out, int n) and returns `out`, filled with 0xcd
/// before.
std::vector<uint32_t> run_kernel(const Program& program, uint32_t blocks, uint32_t threads,
                                 const std::vector<uint32_t>& in, size_t out_words,
                                 Witness* witness);
/// What a kernel of one warp makes of hashed_words. Expects the same of both lowerings, and no use
/// of an undefined value.
std::vector<uint32_t> words_of(const std::string& text);

}  // namespace shflsim::isa
