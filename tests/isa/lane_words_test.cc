// SPDX-License-Identifier: Apache-2.0
// Words of AMD's lane instructions, compared with llvm-mc's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "isa/base/input_error.h"
#include "isa/families/amd.h"
#include "isa/families/lane_family.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace lane_words_test {

/// Texts of AMD's lane instructions with random registers, in all forms of DPP and swizzles.
std::vector<std::string> amd_texts(const AmdMachine& machine) {
  std::vector<std::string> texts;
  std::mt19937 random(5);
  const auto vector = [&] { return fmt::format("v{}", random() % 256); };
  for (const uint32_t code : dpp_codes()) {
    if (!has_dpp_code(machine, code)) continue;
    for (uint32_t masks = 0; masks < 256; ++masks) {
      texts.push_back(fmt::format("v_mov_b32_dpp {}, {} {} row_mask:0x{:x} bank_mask:0x{:x}{}{}",
                                  vector(), vector(), dpp_text(machine, code), masks >> 4,
                                  masks & 15, random() % 2 != 0 ? " bound_ctrl:1" : "",
                                  machine.has_dpp8 && random() % 2 != 0 ? " fi:1" : ""));
    }
  }
  for (unsigned offset = 0; offset < 65536; ++offset)
    texts.push_back(fmt::format("ds_swizzle_b32 {}, {} offset:{}", vector(), vector(), offset));
  for (unsigned count = 0; count < 2000; ++count) {
    const auto scalar = static_cast<uint32_t>(random() % 100);
    texts.push_back(fmt::format("ds_{}permute_b32 {}, {}, {} offset:{}", count % 2 ? "b" : "",
                                vector(), vector(), vector(), random() % 65535 + 1));
    texts.push_back(fmt::format("v_readlane_b32 s{}, {}, {}", scalar, vector(), random() % 64));
    texts.push_back(fmt::format("v_readlane_b32 s{}, {}, s{}", scalar, vector(), random() % 100));
    texts.push_back(fmt::format("v_readfirstlane_b32 s{}, {}", scalar, vector()));
    texts.push_back(fmt::format("v_writelane_b32 {}, s{}, {}", vector(), scalar, random() % 64));
    if (machine.has_dpp8) {
      std::string eight;
      for (unsigned lane = 0; lane < 8; ++lane)
        eight += fmt::format("{}{}", lane == 0 ? "" : ",", random() % 8);
      texts.push_back(fmt::format("v_mov_b32_dpp {}, {} dpp8:[{}]{}", vector(), vector(), eight,
                                  count % 3 == 0 ? " fi:1" : ""));
      texts.push_back(fmt::format("v_permlane{}16_b32 {}, {}, s{}, {} op_sel:[{},1]",
                                  count % 2 ? "x" : "", vector(), vector(), random() % 100,
                                  random() % 64, count / 2 % 2));
    }
    if (machine.has_permlane64)
      texts.push_back(fmt::format("v_permlane64_b32 {}, {}", vector(), vector()));
  }
  return texts;
}

/// The words that llvm-mc assembles from the texts, in order; empty if it is not installed.
std::vector<uint32_t> llvm_words(const std::string& program, const char* chip,
                                 const std::vector<std::string>& texts) {
  if (std::system(("command -v " + program + " llvm-objcopy >/dev/null").c_str()) != 0) return {};
  const std::string base = testing::TempDir() + "lanes." + chip;
  {
    std::ofstream out(base + ".s");
    for (const std::string& text : texts) out << text << "\n";
  }
  const std::string command = fmt::format(
      "{} -arch=amdgcn -mcpu={} -filetype=obj -o {}.o {}.s && llvm-objcopy -O binary {}.o {}.bin",
      program, chip, base, base, base, base);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const std::string bytes = test::read_file(base + ".bin");
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  for (const char* end : {".s", ".o", ".bin"}) std::filesystem::remove(base + end);
  return words;
}

struct AmdCase {
  const char* family;
  const char* chip;
  const char* program;
};

void expect_words(const AmdCase& each, const AmdMachine& machine) {
  const std::vector<std::string> texts = amd_texts(machine);
  const std::vector<uint32_t> expected = llvm_words(each.program, each.chip, texts);
  if (expected.empty()) GTEST_SKIP() << each.program << " is not installed";
  const LaneFamily& family = LaneFamilies::named(each.family, "family");
  std::vector<uint32_t> words;
  LaneContext context{family.lane_counts.back(), ~WideMask{0}, {}};
  for (unsigned number = 0; number < 256; ++number) {
    const std::vector<uint32_t> any(context.lanes, number);
    context.registers[fmt::format("v{}", number)] = any;
    context.registers[fmt::format("s{}", number)] = any;
  }
  unsigned wrong = 0;
  for (const std::string& text : texts) {
    const LaneInstruction instruction = family.read(LaneText(text), context);
    words.insert(words.end(), instruction.words.begin(), instruction.words.end());
    const std::string again = family.text_of(instruction.words);
    if (again != instruction.text && wrong++ < 5) ADD_FAILURE() << text << " became " << again;
  }
  ASSERT_EQ(words.size(), expected.size());
  for (size_t index = 0; index < words.size(); ++index)
    ASSERT_EQ(words[index], expected[index]) << each.chip << " word " << index;
}

TEST(LaneWords, OfGcnAreThoseOfLlvm) { expect_words({"gcn", "gfx900", "llvm-mc"}, AmdMachine{}); }
TEST(LaneWords, OfCdnaAreThoseOfLlvm) {
  AmdMachine cdna;
  cdna.has_row_broadcast = true;
  expect_words({"cdna", "gfx90a", "llvm-mc"}, cdna);
}
AmdMachine rdna_codes() {
  AmdMachine rdna;
  rdna.has_wave_shifts = false;
  rdna.has_dpp8 = true;
  return rdna;
}
TEST(LaneWords, OfRdna2AreThoseOfLlvm) {
  expect_words({"rdna2", "gfx1030", "llvm-mc"}, rdna_codes());
}
TEST(LaneWords, OfRdna3AreThoseOfLlvm) {
  AmdMachine rdna = rdna_codes();
  rdna.has_permlane64 = true;
  expect_words({"rdna", "gfx1100", "llvm-mc-19"}, rdna);
}
}  // namespace lane_words_test
}  // namespace shflsim::isa
