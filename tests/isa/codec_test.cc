// SPDX-License-Identifier: Apache-2.0
#include "isa/codec/codec.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "isa/codec/form.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace codec_test {

/// A line of codec_words.tsv.gz: a word at its address in code, and nvdisasm's text for it.
struct Listed {
  uint64_t word;
  uint32_t control;  ///< its control field
  uint32_t address;
  std::string text;
};

const std::vector<Listed>& listed_words() {
  static const std::vector<Listed> words = [] {
    std::vector<Listed> read;
    for (const std::string& line :
         test::lines_of(test::read_file(test::data_path("isa/codec_words.tsv.gz")))) {
      if (line.empty() || line[0] == '#') continue;
      const std::vector<std::string> fields = test::fields_of(line, '\t');
      read.push_back({test::number_of(fields.at(0), 16),
                      static_cast<uint32_t>(test::number_of(fields.at(1), 16)),
                      static_cast<uint32_t>(test::number_of(fields.at(2), 16)), fields.at(3)});
    }
    return read;
  }();
  return words;
}

/// A listing's text without the braces of dual issue and the ';'.
std::string bare_text(const std::string& text) {
  const size_t start = text.find_first_not_of("{ ");
  return text.substr(start, text.find_last_not_of("}; ") + 1 - start);
}

Instruction decoded(const Listed& listed) {
  Instruction instruction;
  EXPECT_EQ(decode(listed.word, listed.address, control_from_field(listed.control), &instruction),
            "")
      << listed.text;
  return instruction;
}

/// The fault if a word decodes but its text does not encode to the word; "" if there is none.
std::string round_trip_fault(uint64_t word, uint32_t address) {
  Instruction instruction;
  if (!decode(word, address, Control{}, &instruction).empty()) return "";
  const std::string text = text_of(instruction);
  try {
    const Encoded encoded = encode(text, address);
    return encoded.word == Word(word) ? "" : text + " encodes to another word";
  } catch (const SyntaxError& error) {
    return text + ": " + error.what;
  }
}

#ifdef NDEBUG
constexpr int kRandomWords = 10'000'000;
#else
constexpr int kRandomWords = 1'000'000;
#endif

TEST(Codec, EveryRowOfTheOpcodeTableIsAmongTheListedWords) {
  std::set<size_t> met;
  for (const Listed& listed : listed_words()) met.insert(decoded(listed).form);
  for (size_t row = 0; row < forms().size(); ++row) {
    EXPECT_EQ(met.count(row), 1u) << "row " << row << ": " << forms()[row].text;
  }
}

TEST(Codec, ListedWordsHaveTheTextOfTheListing) {
  for (const Listed& listed : listed_words()) EXPECT_EQ(text_of(decoded(listed)), listed.text);
}

TEST(Codec, TextOfTheListingEncodesToTheListedWord) {
  for (const Listed& listed : listed_words()) {
    const Encoded encoded = encode(listed.text, listed.address);
    EXPECT_EQ(encoded.word.low, listed.word) << listed.text;
    const unsigned reuse = control_from_field(listed.control).reuse;
    EXPECT_EQ(encoded.reuse & ~reuse, 0u) << listed.text;
  }
}

TEST(Codec, ShufflesOfPublicFilesKeepWordAndText) {
  size_t count = 0;
  for (const std::string& line :
       test::lines_of(test::read_file(test::data_path("isa/shfl_golden_real.tsv")))) {
    if (line.empty()) continue;
    const std::vector<std::string> fields = test::fields_of(line, '\t');
    const Listed listed{test::number_of(fields.at(0), 16), 0x7E0, 8, bare_text(fields.at(1))};
    EXPECT_EQ(text_of(decoded(listed)), listed.text);
    EXPECT_EQ(encode(listed.text, 8).word.low, listed.word);
    ++count;
  }
  EXPECT_EQ(count, 47u);
}

TEST(Codec, RandomWordsAreRefusedOrComeBackFromTheirText) {
  std::mt19937_64 random(1);
  for (int i = 0; i < kRandomWords; ++i) {
    const uint64_t word = random();
    ASSERT_EQ(round_trip_fault(word, 0x1008), "") << std::hex << word;
  }
}

TEST(Codec, RandomFieldsOfEveryRowComeBackFromTheirText) {
  std::mt19937_64 random(2);
  for (size_t row = 0; row < forms().size(); ++row) {
    const Form& form = forms()[row];
    const uint64_t fields = ~(form.mask | form.reserved).low;
    for (int i = 0; i < 1000; ++i) {
      const uint64_t word = (form.pattern.low & ~fields) | (random() & fields);
      ASSERT_EQ(round_trip_fault(word, 0x1008), "") << std::hex << word << " " << form.text;
    }
  }
}

TEST(Codec, ReusePrintedOnAnOperandSetsItsBit) {
  EXPECT_EQ(encode("FFMA R2, R4.reuse, R3, R9.reuse", 8).reuse, 5);
  EXPECT_EQ(encode("FADD R2, R4.reuse, R3.reuse", 8).reuse, 5) << "b of FADD stands where c does";
  EXPECT_EQ(encode("IADD R2, R4, R3.reuse", 8).reuse, 2);
}

struct Refusal {
  uint64_t word;
  const char* problem;
};

TEST(Codec, RefusedWordsSayWhy) {
  const Refusal refusals[] = {
      {0xEF17807CF0170001, "reserved bits 47 of SHFL set in 0xef17807cf0170001; expected 0"},
      {0x5C60000300270405, "reserved bits 33, 32 of FMNMX set in 0x5c60000300270405; expected 0"},
      {0xE290000004070000, "reserved bits 18, 17, 16 of SSY set in 0xe290000004070000; expected 0"},
      {0x0000000000000000, "unknown opcode in 0x0000000000000000"},
      {0x5BCF000000270405, "reserved modifier value of PRMT in 0x5bcf000000270405"},
      {0xEEF000000FF70804, "reserved operand of ATOM in 0xeef000000ff70804"},
  };
  for (const Refusal& refusal : refusals) {
    Instruction instruction;
    EXPECT_EQ(decode(refusal.word, 8, Control{}, &instruction), refusal.problem);
  }
}

struct Misspelt {
  const char* text;
  unsigned column;
  const char* what;
};

TEST(Codec, MisspeltInstructionsAreRefusedWithColumnAndCause) {
  const Misspelt misspelt[] = {
      {"SHFLL.IDX PT, R1, R0, 0x0, 0x1f", 1, "unknown opcode 'SHFLL'; did you mean 'SHFL'?"},
      {"@P0 QQQQQQ R1", 5, "unknown opcode 'QQQQQQ'; expected a SPA 5.0 mnemonic"},
      {"@R0 EXIT", 2, "no guard predicate behind '@'; expected P0 to P6 or PT"},
      {"SHFL PT, R1, R0, 0x1, 0x1f", 5, "expected one of .IDX, .UP, .DOWN, .BFLY"},
      {"SHFL.IDX PT, R1, R0, 0x20, 0x1f", 22, "expected an immediate from 0x0 to 0x1f"},
      {"SHFL.IDX PT, R1, R0, 0x1, 0x2000", 27, "expected an immediate from 0x0 to 0x1fff"},
      {"IADD R1, R0, 0x80000", 14, "expected an immediate from -0x80000 to 0x7ffff"},
      {"IADD R256, R0, R1", 6, "expected a register (R0 to R254 or RZ)"},
      {"LDG.E R2, R4", 11, "expected an address '['"},
      {"FFMA32I R2, R4, 1, R5", 20, "expected the destination register once more"},
      {"ATOM.CAS R4, [R8], R12, R14", 25, "expected R13, next to the register before it"},
      {"@P0 SSY 0x40", 1, "SSY takes no guard predicate; expected none"},
  };
  for (const Misspelt& row : misspelt) {
    try {
      encode(row.text, 8);
      ADD_FAILURE() << row.text << " was taken";
    } catch (const SyntaxError& error) {
      EXPECT_EQ(error.column, row.column) << row.text << ": " << error.what;
      EXPECT_NE(error.what.find(row.what), std::string::npos) << row.text << ": " << error.what;
    }
  }
}

}  // namespace codec_test
}  // namespace shflsim::isa
