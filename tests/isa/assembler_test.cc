// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <tuple>

#include "isa/base/input_error.h"
#include "isa/code/footprint.h"
#include "isa/codec/codec.h"
#include "isa/codec/form.h"
#include "isa/dialects/control_text.h"
#include "isa/dialects/schedule.h"
#include "isa/dialects/source.h"
#include "isa/dialects/write_text.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace assembler_test {

const char* const kShipped[] = {"traces/kernels.sm50.sass",
                                "tests/data/corpus/control.nvdisasm.txt.gz"};

Program read_back(const std::string& text, const std::string& kernel) {
  const SourceText source{kernel + ".sass", text};
  for (const Dialect& dialect : Dialects::all()) {
    if (!dialect.recognises(source)) continue;
    const auto opened = dialect.open(source);
    return find_kernel(*opened, opened->kernels().front(), source.file);
  }
  throw InputError("no dialect takes it");
}

const Writer& writer(const std::string& name) {
  for (const Writer& each : writers()) {
    if (name == each.name) return each;
  }
  throw InputError("no writer " + name);
}

::testing::AssertionResult same_code(const Program& a, const Program& b) {
  if (a.code.size() != b.code.size()) {
    return ::testing::AssertionFailure() << a.code.size() << " and " << b.code.size();
  }
  for (size_t i = 0; i < a.code.size(); ++i) {
    if (a.code[i].word != b.code[i].word || a.code[i].control != b.code[i].control) {
      return ::testing::AssertionFailure() << a.name << " at " << i << ": " << a.texts[i];
    }
  }
  return ::testing::AssertionSuccess();
}

class FromDialectToDialect : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(FromDialectToDialect, AndBackIsTheIdentity) {
  const Writer& first = writer(std::get<0>(GetParam()));
  const Writer& second = writer(std::get<1>(GetParam()));
  const auto source = open_source(test::source_path(kShipped[0]));
  for (const std::string& name : source->kernels()) {
    const Program program = source->program(name);
    const Program once = read_back(first.write({program}), name);
    const Program twice = read_back(second.write({once}), name);
    EXPECT_TRUE(same_code(program, read_back(first.write({twice}), name)));
  }
}

constexpr const char* kNames[] = {"nvdisasm", "cuobjdump", "manual", "maxas", "cuasm"};
INSTANTIATE_TEST_SUITE_P(Every, FromDialectToDialect,
                         testing::Combine(testing::ValuesIn(kNames), testing::ValuesIn(kNames)));

TEST(Writers, PrintEveryShippedKernelSoThatItsReaderGivesTheSameCode) {
  for (const char* path : kShipped) {
    const auto source = open_source(test::source_path(path));
    for (const std::string& name : source->kernels()) {
      const Program program = source->program(name);
      for (const Writer& each : writers()) {
        EXPECT_TRUE(same_code(program, read_back(each.write({program}), name))) << each.name;
      }
    }
  }
}

TEST(Writers, KeepConstantsAndSharedMemoryInNvdisasmText) {
  const Program program = open_source(test::source_path(kShipped[1]))->program("warp_specialized");
  const Program back = read_back(writer("nvdisasm").write({program}), program.name);
  EXPECT_EQ(back.shared_bytes, program.shared_bytes);
  EXPECT_EQ(back.registers, program.registers);
  for (const auto& [bank, bytes] : program.constants) EXPECT_EQ(back.constants.at(bank), bytes);
}

struct ControlText {
  uint32_t control;
  const char* maxas;
  const char* cuasm;
};
constexpr ControlText kControlTexts[] = {
    {0x007e0, "--:-:-:Y:0", "[B------:R-:W-:Y:S00]"},
    {0x007f6, "--:-:-:-:6", "[B------:R-:W-:-:S06]"},
    {0x00712, "--:-:1:-:2", "[B------:R-:W0:-:S02]"},
    {0x0071f, "--:-:1:-:f", "[B------:R-:W0:-:S15]"},
    {0x00731, "--:-:2:-:1", "[B------:R-:W1:-:S01]"},
    {0x00ff5, "01:-:-:-:5", "[B0-----:R-:W-:-:S05]"},
    {0x007ed, "--:-:-:Y:d", "[B------:R-:W-:Y:S13]"},
};

TEST(ControlText, IsWhatTheTwoAssemblersPrint) {
  for (const ControlText& each : kControlTexts) {
    const Control control = control_from_field(each.control);
    EXPECT_EQ(maxas_control(control), each.maxas);
    EXPECT_EQ(cuasm_control(control), each.cuasm);
  }
}

TEST(ControlText, ComesBackForEveryFieldWithoutReuse) {
  for (uint32_t bits = 0; bits < 1u << 17; ++bits) {
    const Control control = control_from_field(bits);
    if (control.read_barrier == 6 || control.write_barrier == 6) continue;  // no such scoreboard
    const std::string maxas = maxas_control(control) + " X";
    const std::string cuasm = cuasm_control(control) + " X";
    std::string_view left = maxas;
    ASSERT_EQ(take_maxas_control(&left), control) << maxas;
    EXPECT_EQ(left, " X");
    left = cuasm;
    ASSERT_EQ(take_cuasm_control(&left), control) << cuasm;
    EXPECT_EQ(left, " X");
  }
}

TEST(Assembly, NamesThePlaceOfAnErrorInItsText) {
  const SourceText source{"k.maxas", "# Kernel: k\n--:-:-:-:1   FADD R0, R1, Q2;\n"};
  try {
    Dialects::named("maxas").open(source)->program("k");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 12), "k.maxas:2:27") << error.what();
  }
}

TEST(Assembly, PassesOverTheDataOfACuAssemblerFile) {
  const SourceText source{"k.cuasm",
                          "\t.section\t.nv.info.k,\"\",@\"SHT_CUDA_INFO\"\n"
                          "        /*0000*/ \t.byte\t0x04, 0x2f\n"
                          "\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n"
                          "  [B------:R-:W-:-:S15] /*0008*/ EXIT ;\n"};
  ASSERT_TRUE(Dialects::named("cuasm").recognises(source));
  const Program program = Dialects::named("cuasm").open(source)->program("k");
  ASSERT_EQ(program.texts.size(), 1u);
  EXPECT_EQ(program.texts[0], "EXIT");
  EXPECT_EQ(program.code[0].control.issue_code, 31);
}

TEST(Assembly, RefusesAnInstructionWithoutControl) {
  const SourceText source{"k.maxas", "--:-:-:-:1 NOP;\nEXIT;\n"};
  EXPECT_THROW(Dialects::named("maxas").open(source), InputError);
}

/// Checks chosen control bits by a plain reading of the rules: within straight-line code every pair
/// of instructions is far enough apart.
class Rules {
 public:
  explicit Rules(const Program& program) : program_(program) {
    uint64_t now = 0;
    for (const Instruction& each : program.code) {
      times_.push_back(now);
      now += each.control.stall();
    }
  }

  std::string fault() const {
    for (size_t i = 0; i < program_.code.size(); ++i) {
      for (size_t j = i + 1; j < program_.code.size() && j < i + 40; ++j) {
        const std::string found = fault_of(i, j);
        if (!found.empty()) return found + ": " + program_.texts[i] + " / " + program_.texts[j];
        if (facts(program_.code[j].op).latency == Latency::kBranch) break;
      }
    }
    return "";
  }

 private:
  static bool is_variable(const Instruction& each) {
    return facts(each.op).latency == Latency::kVariable || facts(each.op).pipe == Pipe::kDouble;
  }
  bool waited(uint8_t scoreboard, size_t i, size_t j) const {
    if (scoreboard == Control::kNoScoreboard) return false;
    for (size_t k = i + 1; k <= j; ++k) {
      const bool waits = ((program_.code[k].control.wait_mask >> scoreboard) & 1u) != 0;
      if (waits && times_[k] >= times_[i] + 2) return true;
    }
    return false;
  }
  static bool writes(const Footprint& of, unsigned index) {
    return index >= of.first_write && index < of.first_write + unsigned{of.write_count};
  }

  bool rewritten(unsigned index, size_t i, size_t j) const {
    for (size_t k = i + 1; k < j; ++k) {
      if (writes(footprint(program_.code[k]), index)) return true;
    }
    return false;
  }

  std::string fault_of(size_t i, size_t j) const {
    const Instruction& first = program_.code[i];
    const Footprint a = footprint(first);
    const Footprint b = footprint(program_.code[j]);
    const Pipe pipe = facts(program_.code[j].op).pipe;
    const bool near_pipe = pipe == Pipe::kShuffle || pipe == Pipe::kShared;
    const bool far_pipe = pipe == Pipe::kGlobal || pipe == Pipe::kXu || pipe == Pipe::kSpecial;
    const uint64_t register_latency = near_pipe ? 4 : far_pipe ? 2 : 6;
    const uint64_t apart = times_[j] - times_[i];
    bool reads_result = false;
    for (unsigned r = 0; r < b.read_count; ++r) {
      const unsigned index = b.reads[r].index;
      reads_result |= writes(a, index) && !rewritten(index, i, j);
    }
    const bool reads_predicate = (a.predicates_written & b.predicates_read) != 0;
    if (!is_variable(first)) {
      if (reads_result && apart < register_latency) return "register too early";
      if (reads_predicate && apart < 13) return "predicate too early";
      if (a.writes_carry && b.reads_carry && apart < 6) return "carry too early";
      return "";
    }
    for (unsigned w = 0; w < b.write_count; ++w) reads_result |= writes(a, b.first_write + w);
    if ((reads_result || reads_predicate) && !waited(first.control.write_barrier, i, j)) {
      return "result not waited for";
    }
    bool overwrites = false;
    for (unsigned r = 0; r < a.read_count; ++r) overwrites |= writes(b, a.reads[r].index);
    const bool covered =
        waited(first.control.read_barrier, i, j) || waited(first.control.write_barrier, i, j);
    return overwrites && !covered ? "source overwritten" : "";
  }

  const Program& program_;
  std::vector<uint64_t> times_;
};

TEST(ChosenControl, KeepsEveryRuleInEveryShippedKernel) {
  for (const char* path : kShipped) {
    const auto source = open_source(test::source_path(path));
    for (const std::string& name : source->kernels()) {
      Program program = source->program(name);
      choose_control(&program);
      EXPECT_EQ(Rules(program).fault(), "") << name;
    }
  }
}

TEST(ChosenControl, WaitsForAShuffleByBarrierAndForMathByStall) {
  Program program =
      read_back("IADD R0, R1, R2\nSHFL.BFLY PT, R3, R0, 0x10, 0x1f\nIADD R4, R3, R0\nEXIT\n", "k");
  choose_control(&program);
  EXPECT_EQ(program.code[0].control.stall(), 4u);
  EXPECT_EQ(program.code[1].control.stall(), 2u);
  EXPECT_EQ(program.code[1].control.write_barrier, 0u);
  EXPECT_EQ(program.code[2].control.wait_mask, 1u);
}

TEST(PadBundles, FillsTheLastBundleWithNops) {
  Program program = read_back("IADD R0, R1, R2\nEXIT\n", "k");
  pad_bundles(&program);
  ASSERT_EQ(program.code.size(), 3u);
  EXPECT_EQ(program.texts[2], "NOP");
}

}  // namespace assembler_test
}  // namespace shflsim::isa
