// SPDX-License-Identifier: Apache-2.0
// The assemblers' texts of sm_70 and later: printed text is read back as the same words.
#include <gtest/gtest.h>

#include <random>

#include "isa/base/input_error.h"
#include "isa/dialects/assembled.h"
#include "isa/dialects/source.h"
#include "isa/dialects/word_table.h"
#include "isa/dialects/write_text.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace sm70_assembler_test {

Program read_back(const std::string& text, const std::string& kernel) {
  const SourceText source{kernel + ".sass", text};
  for (const Dialect& dialect : Dialects::all()) {
    if (dialect.recognises(source)) return dialect.open(source)->program(kernel);
  }
  throw InputError("no dialect takes it");
}

std::string difference(const Program& a, const Program& b) {
  if (a.arch != b.arch || a.code.size() != b.code.size()) return "another size or architecture";
  if (a.registers != b.registers || a.shared_bytes != b.shared_bytes)
    return "another number of registers or bytes of shared memory";
  for (size_t i = 0; i < a.code.size(); ++i) {
    if (a.code[i].word != b.code[i].word) return a.texts[i];
  }
  return "";
}

const char* const kFiles[] = {
    "volta/c.sm70.cubin.gz",          "volta/listed.sm75.cubin.gz",
    "volta/listed.sm90.cubin.gz",     "volta/listed.sm120.cubin.gz",
    "volta/c.sm75.cuobjdump.txt.gz",  "volta/c.sm80.cuobjdump.txt.gz",
    "volta/c.sm90.nvdisasm.txt.gz",   "volta/c.sm100.cuobjdump.txt.gz",
    "volta/c.sm120.cuobjdump.txt.gz",
};

TEST(Sm70Writers, PrintEveryKernelSoThatItsReaderGivesTheSameWords) {
  for (const char* file : kFiles) {
    const auto source = open_source(test::data_path(file));
    for (const std::string& name : source->kernels()) {
      const Program program = source->program(name);
      for (const Writer& each : writers()) {
        // cuobjdump's text has room for neither of what `difference` looks at first.
        if (!each.has_long_words || std::string(each.name) == "cuobjdump") continue;
        EXPECT_EQ(difference(program, read_back(each.write({program}), name)), "")
            << file << " " << name << " " << each.name;
      }
    }
  }
}

TEST(Sm70Writers, NameTheTargetsOfBranches) {
  const auto source = open_source(test::data_path("volta/c.sm90.nvdisasm.txt.gz"));
  const Program program = source->program("divergent_half");
  for (const Writer& each : writers()) {
    if (!each.has_long_words || std::string(each.name) == "cuobjdump") continue;
    const std::string text = each.write({program});
    EXPECT_NE(text.find("L_"), std::string::npos) << each.name;
    EXPECT_EQ(text.find("BRA 0x"), std::string::npos) << each.name;
  }
}

/// The fault if a word's assembler text does not give the same word; "" if there is none.
std::string round_trip_fault(Arch arch, const Word& word) {
  Instruction instruction;
  if (!decode(arch, word, 0x1000, &instruction).empty()) return "";
  const std::string text = assembler_text(instruction) + assembler_rest(instruction);
  try {
    const Instruction back = assembled(arch, text, 0x1000, instruction.control);
    return back.word == word ? "" : text;
  } catch (const SyntaxError& error) {
    return text + ": " + error.what;
  }
}

std::vector<ListedWord> listed_words(Arch arch) {
  const std::string name = "volta/words.sm" + std::to_string(number_of(arch)) + ".tsv.gz";
  return table_words(read_source_text(test::data_path(name)));
}

constexpr Arch kListed[] = {Arch::kSm75, Arch::kSm80,  Arch::kSm86,
                            Arch::kSm90, Arch::kSm100, Arch::kSm120};

TEST(AssemblerText, OfEveryListedWordGivesItBackWhole) {
  for (const Arch arch : kListed) {
    for (const ListedWord& listed : listed_words(arch))
      ASSERT_EQ(round_trip_fault(arch, listed.word), "") << name_of(arch);
  }
}

TEST(AssemblerText, OfAWordWithBitsChangedGivesItBackWhole) {
  std::mt19937_64 random(3);
  for (const Arch arch : kListed) {
    for (const ListedWord& listed : listed_words(arch)) {
      Word word = listed.word;
      for (int change = 0; change < 3; ++change) {
        const auto bit = static_cast<unsigned>(random() % 128);
        word = with_field(word, bit, 1, ~field(word, bit, 1));
        ASSERT_EQ(round_trip_fault(arch, word), "") << name_of(arch) << " from " << listed.text;
      }
    }
  }
}

TEST(AssemblerText, ShowsTheDescriptorThatSm80Hides) {
  Instruction load;
  ASSERT_EQ(decode(Arch::kSm80, Word(0x0000000404057981, 0x000ea2000c1e1900), 0, &load), "");
  EXPECT_EQ(text_of(load), "LDG.E R5, [R4.64]");
  EXPECT_EQ(assembler_text(load) + assembler_rest(load), "LDG.E R5, desc[UR4][R4.64]");
}

TEST(AssemblerText, HasTheBitsThatTheTextLeavesOpenBehindIt) {
  Instruction nop;
  ASSERT_EQ(decode(Arch::kSm90, Word(0x0000000100007918, 0x000fc00000000000), 0, &nop), "");
  EXPECT_EQ(assembler_text(nop) + assembler_rest(nop), "NOP &rest=0x100000000");
}

std::string refusal(const std::string& text) {
  try {
    read_back(text, "k");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Sm70Assembly, NamesThePlaceOfAnErrorInItsText) {
  const std::string head = "# Kernel: k\n# Arch: sm_90\n";
  EXPECT_EQ(refusal(head + "--:-:-:-:1   NOP &rest=0xg;\n"),
            "k.sass:3:24: no word behind &rest=; expected up to 32 hexadecimal digits");
  EXPECT_EQ(refusal(head + "--:-:-:-:1   UMOV UR4, R1;\n").substr(0, 12), "k.sass:3:24:");
}

TEST(Sm70Assembly, RefusesAnArchitectureThatThereIsNot) {
  const std::string what = refusal("# Kernel: k\n# Arch: sm_91\n--:-:-:-:1   NOP;\n");
  EXPECT_EQ(what.substr(0, 9), "k.sass:2:") << what;
  EXPECT_NE(what.find("unknown architecture 'sm_91'"), std::string::npos) << what;
}

}  // namespace sm70_assembler_test
}  // namespace shflsim::isa
