// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace shflsim::isa {

/// Functions that call one another and themselves, by name and by pointer: as PTX and as the values
/// that they compute. Each takes a word, the depth of further calls and 64 bits; it returns a word.
class RandomCalls {
 public:
  explicit RandomCalls(uint32_t seed);
  ~RandomCalls();

  /// A kernel k(const uint32_t* in, uint32_t* out, int n) for one warp: out[t] = f0(in[t], 3, t).
  std::string text() const;
  uint32_t expected(uint32_t word, uint32_t thread) const;

 private:
  struct Step;
  using Steps = std::vector<Step>;
  struct State;
  class Maker;

  void run(const Steps& steps, State* state) const;
  uint32_t value(size_t function, uint32_t word, uint32_t depth, uint64_t wide) const;
  static std::string lines_of(const Steps& steps, unsigned* labels);
  static std::string lines_of_step(const Step& step, unsigned* labels);
  static std::string lines_of_call(const Step& step, const std::string& label);

  std::vector<Steps> functions_;
};

}  // namespace shflsim::isa
