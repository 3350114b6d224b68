// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/isa/ptx/support.h"

namespace shflsim::isa {

// Instructions of PTX on many pairs of operands, one pair per thread.

constexpr uint32_t kPairsOfBlock = 1024;

/// A kernel that runs `code` on each pair: it sets %d from %a and %b.
inline std::string kernel_of(const std::string& code, unsigned bytes) {
  const std::string size = std::to_string(bytes);
  const std::string type = ".b" + std::to_string(bytes * 8);
  return ".version 6.4\n.target sm_50\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n) {\n"
         ".reg .b64 %in, %out; .reg .b32 %t, %c, %n;\n.reg " +
         type + " %a, %b, %d;\n" +
         "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
         "mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %n, %ntid.x;\n"
         "mad.lo.u32 %t, %c, %n, %t;\nmad.wide.u32 %out, %t, " +
         size + ", %out;\nmul.lo.u32 %t, %t, 2;\nmad.wide.u32 %in, %t, " + size + ", %in;\n" +
         "ld.global" + type + " %a, [%in]; ld.global" + type + " %b, [%in+" + size + "];\n" + code +
         "\nst.global" + type + " [%out], %d;\nret;\n}\n";
}

template <class Word>
struct Pair {
  Word first;
  Word second;
};
template <class Word>
using Pairs = std::vector<Pair<Word>>;

/// All pairs of hard cases and at least 12 blocks of random pairs, up to whole blocks.
template <class Word, class Draw>
Pairs<Word> pairs_of(const std::vector<Word>& hard, Draw draw) {
  Pairs<Word> pairs;
  for (const Word a : hard) {
    for (const Word b : hard) pairs.push_back({a, b});
  }
  const size_t least = pairs.size() + 12 * size_t{kPairsOfBlock};
  while (pairs.size() < least || pairs.size() % kPairsOfBlock != 0)
    pairs.push_back({draw(), draw()});
  return pairs;
}

template <class Word>
std::vector<Word> results_of(const std::string& code, const Pairs<Word>& pairs) {
  std::vector<uint32_t> in(pairs.size() * 2 * sizeof(Word) / 4);
  std::memcpy(in.data(), pairs.data(), in.size() * 4);
  Witness witness;
  const auto out = run_kernel(ptx_program(kernel_of(code, sizeof(Word))),
                              static_cast<uint32_t>(pairs.size() / kPairsOfBlock), kPairsOfBlock,
                              in, in.size() / 2, &witness);
  std::vector<Word> words(pairs.size());
  std::memcpy(words.data(), out.data(), out.size() * 4);
  return words;
}

}  // namespace shflsim::isa
