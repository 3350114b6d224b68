// SPDX-License-Identifier: Apache-2.0
// Texts of other assemblers and disassemblers: some are read, the others are refused by name.
#include <gtest/gtest.h>

#include "isa/base/input_error.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {
namespace foreign_text_test {

Program program_of(const std::string& file, const std::string& text) {
  const SourceText source{file, text};
  for (const Dialect& dialect : Dialects::all()) {
    if (!dialect.recognises(source)) continue;
    const auto opened = dialect.open(source);
    return opened->program(opened->kernels().front());
  }
  throw InputError("no dialect takes it");
}

/// The faults of a text, one line each.
std::string faults_of(const std::string& file, const std::string& text) {
  try {
    program_of(file, text);
  } catch (const InputError& error) {
    std::string lines;
    for (const Fault& fault : error.faults()) lines += (lines.empty() ? "" : "\n") + fault.line();
    return lines;
  }
  return "";
}

std::string cuasm(const std::string& lines, const std::string& header) {
  return header + "\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n" + lines;
}

std::string sm75(const std::string& instruction, const std::string& more = "") {
  return cuasm("      [B------:R-:W-:-:S02]         /*0000*/                   " + instruction +
                   " ;\n.L_1:\n      [B------:R-:W-:-:S05]         /*0010*/     EXIT ;\n" + more,
               "\t.__elf_flags            0x4b054b \t\t// Flags, SM_75(0x4b), COMPUTE_75(0x4b)\n");
}

TEST(CuAssembler, SaysTheArchitectureInTheFlagsOfTheElfHeader) {
  const std::string nop = "[B------:R-:W-:-:S01] NOP ;\n";
  const auto arch = [&nop](const std::string& flags) {
    return program_of("k.cuasm", cuasm(nop, "\t.__elf_flags " + flags + "\n")).arch;
  };
  EXPECT_EQ(arch("0x4b054b"), Arch::kSm75);
  EXPECT_EQ(arch("0x3d053d \t\t// Flags, SM_61(0x3d)"), Arch::kSm50);
  EXPECT_EQ(arch("0x500550"), Arch::kSm80);
  EXPECT_EQ(arch("0x5a055a"), Arch::kSm90);
  EXPECT_EQ(arch("0x6005a02"), Arch::kSm90) << "as from CUDA 13 on";
  EXPECT_EQ(faults_of("k.cuasm", cuasm(nop, "\t.__elf_flags 0x0\n")),
            "k.cuasm:1:2: no known architecture in the ELF flags '0x0'; expected its number in "
            "bits 7:0 or 15:8");
}

TEST(CuAssembler, OfTheOlderFormHasReuseFlagsInFrontOfTheControl) {
  const Program program = program_of(
      "k.cuasm",
      cuasm("      [----:B------:R-:W-:-:S01]         /*0008*/     MOV R1, c[0x0][0x20] ;\n"
            "      [-R--:B------:R-:W-:-:S06]         /*0010*/     FFMA R4, R4, R3.reuse, R2 ;\n"
            "      [R-R-:B0-----:R1:W-:Y:S13]         /*0018*/     FFMA R4, R4, R3, R2 ;\n",
            "\t.headerflags\t@\"EF_CUDA_64BIT_ADDRESS EF_CUDA_SM50\"\n"));
  ASSERT_EQ(program.code.size(), 3u);
  EXPECT_EQ(program.code[0].control.reuse, 0u);
  EXPECT_EQ(program.code[1].control.reuse, 2u);
  EXPECT_EQ(program.texts[1], "FFMA R4, R4, R3.reuse, R2");
  EXPECT_EQ(program.code[2].control.reuse, 5u);
  EXPECT_EQ(program.texts[2], "FFMA R4, R4.reuse, R3, R2.reuse");
  EXPECT_EQ(program.code[2].control.wait_mask, 1u);
  EXPECT_EQ(program.code[2].control.read_barrier, 1u);
  EXPECT_EQ(program.code[2].control.stall(), 13u);
}

constexpr const char* kVariables =
    "\t.section\t.nv.global.init,\"aw\",@progbits\n\t.align\t8\n\t.type\tlist,@object\nlist:\n"
    ".nv.global.init:\n        /*0000*/ \t.byte\t0x08, 0x00, 0x00, 0x00\nnext:\n"
    "        /*0004*/ \t.word\t0x11223344\n";

TEST(CuAssembler, TakesHalvesOfAddressesOfVariables) {
  const Program program = program_of("k.cuasm", sm75("MOV R2, 32@hi((next + 0x2))", kVariables));
  EXPECT_EQ(program.texts[0], "MOV R2, 0x0");
  EXPECT_EQ(program.variables, (std::vector<uint8_t>{8, 0, 0, 0, 0x44, 0x33, 0x22, 0x11}));
  ASSERT_EQ(program.variable_addresses.size(), 1u);
  EXPECT_EQ(program.variable_addresses[0].variable, 6u);
  const Operand& half = program.code[0][Role::kB];
  EXPECT_TRUE(half.is(Operand::Kind::kConstant));
  EXPECT_EQ(half.value, 4) << "the upper half of the first slot";
}

TEST(CuAssembler, TakesHalvesOfAddressesOfCode) {
  EXPECT_EQ(program_of("k.cuasm", sm75("MOV R2, 32@lo((k + .L_1@srel))")).texts[0], "MOV R2, 0x10");
  EXPECT_EQ(program_of("k.cuasm", sm75("UMOV UR4, 32@lo(.L_1)")).texts[0], "UMOV UR4, 0x10");
  EXPECT_EQ(program_of("k.cuasm", sm75("MOV R2, 32@hi((k + .L_1@srel))")).texts[0], "MOV R2, 0x0");
  EXPECT_EQ(faults_of("k.cuasm", sm75("MOV R2, 32@lo(other)")),
            "k.cuasm:4:72: 'other' is no variable or label of this file; expected one");
}

TEST(CuAssembler, NamesAFunctionThatItsCodeLacks) {
  const std::string what =
      "kernel 'k' calls 'vprintf', which is no label of its code; expected the cubin, or code "
      "without it";
  EXPECT_EQ(faults_of("k.cuasm", sm75("CALL.ABS.NOINC `(vprintf)")), "k.cuasm:4:79: " + what);
  EXPECT_EQ(faults_of("k.cuasm", sm75("CALL.REL.NOINC `( vprintf )")), "k.cuasm:4:79: " + what);
  EXPECT_EQ(faults_of("k.cuasm", cuasm("[B------:R-:W-:-:S13] JCAL `(vprintf) ;\n", "")),
            "k.cuasm:3:28: " + what);
  EXPECT_EQ(faults_of("k.cuasm", sm75("CALL.REL.NOINC `(.L_1)")), "");
}

TEST(CuAssembler, HasRemarksBehindBranches) {
  const Program program = program_of(
      "k.cuasm", cuasm("      [B------:R-:W-:-:S00]    /*0008*/    {         FADD R3, R3, R3 ;\n"
                       "      [B------:R-:W-:-:S13]    /*0010*/         @!P0 BRK "
                       "(*\"BRANCH_TARGETS .L_1\"*)    }\n"
                       "      [B------:R-:W-:-:S13]    /*0018*/    DEPBAR.LE SB5, 0x1, {3,1} ;\n",
                       ""));
  EXPECT_EQ(program.texts,
            (std::vector<std::string>{"FADD R3, R3, R3", "@!P0 BRK", "DEPBAR.LE SB5, 0x1, {3,1}"}));
}

TEST(CuAssembler, SaysThatAnArchitectureIsMissingWhereTheCodeIsOfALaterOne) {
  const std::string control = "      [B------:R-:W-:-:S02]  ";
  EXPECT_EQ(
      faults_of("k.cuasm", cuasm(control + "/*0000*/ IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;\n" +
                                     control + "/*0010*/ ULDC.64 UR4, c[0x0][0x118] ;\n" + control +
                                     "/*0020*/ IADD3 R2, R2, UR4, RZ ;\n",
                                 "")),
      "k.cuasm:3:43: cannot read the operands of IMAD; this may be code of sm_75; expected "
      ".headerflags or .__elf_flags that say so");
}

std::string maxas(const std::string& blocks, const std::string& lines) {
  return "# Kernel: k\n" + blocks + lines + "--:-:-:-:5      EXIT;\n";
}

TEST(Maxas, NamesRegistersAndConstants) {
  const Program program = program_of(
      "k.sass",
      maxas("<CONSTANT_MAPPING>\n    blockDimX : c[0x0][0x8]\n    param_0[1] : c[0x0][0x144]\n"
            "    size : 4x<2*16 + 1>\n</CONSTANT_MAPPING>\n"
            "<REGISTER_MAPPING>\n    0-3, 9 : out, x<00-01|4>y, tid // five\n"
            "    4-7    ~ sum, t[1]\n</REGISTER_MAPPING>\n",
            "--:-:-:-:1      MOV out, param_0[1];\n"
            "--:-:-:-:1      MOV x00y, blockDimX;\n"
            "--:-:-:-:1      IADD x4y, tid, size;\n"
            "--:-:-:-:1      XMAD sum, t.H1, x01y, xy;\n"
            "--:-:-:-:1      STG.E.64 [out + 4x<3*64 - 1>], x00y;\n"));
  EXPECT_EQ(program.texts, (std::vector<std::string>{"MOV R0, c[0x0][0x144]", "MOV R1, c[0x0][0x8]",
                                                     "IADD R3, R9, 0x84", "XMAD R4, R5.H1, R2, R1",
                                                     "STG.E.64 [R0+0x2fc], R1", "EXIT"}));
}

TEST(Maxas, TakesRemarksBehindInstructionsAndLabels) {
  const Program program = program_of("k.sass", maxas("",
                                                     "--:-:-:-:1      MOV R0, R1; # five\n"
                                                     "--:-:-:-:1      MOV R0, R2; FORCE\n"
                                                     "LOOP: # again\n"
                                                     "--:-:-:-:5      BRA LOOP; // back; and on\n"
                                                     "--:-:-:-:5      NOP # without a sign\n"));
  EXPECT_EQ(program.texts,
            (std::vector<std::string>{"MOV R0, R1", "MOV R0, R2", "BRA 0x18", "NOP", "EXIT"}));
}

TEST(Maxas, RefusesBlocksOfNamesThatAreNone) {
  const auto registers = [](const std::string& line) {
    return faults_of("k.sass",
                     maxas("<REGISTER_MAPPING>\n" + line + "\n</REGISTER_MAPPING>\n", ""));
  };
  EXPECT_EQ(registers("0-1 : a, b, c"),
            "k.sass:3:1: more names than registers; expected 2 at most");
  EXPECT_EQ(registers("0-1 : a, a"), "k.sass:3:1: register 'a' stands twice; expected a new name");
  EXPECT_EQ(registers("3-300 : a"),
            "k.sass:3:1: '3-300' is no number of a register; expected 0 to 254 or a range");
  EXPECT_EQ(registers("0 : a<"),
            "k.sass:3:1: 'a<' is no name of a register; expected one such as x or y<0-3>");
  EXPECT_EQ(registers("0 a"),
            "k.sass:3:1: no names for registers; expected one such as 0-3 : x, y<0-2>");
  EXPECT_EQ(faults_of("k.sass", maxas("", "<CONSTANT_MAPPING>\n  a : 0x1\n")),
            "k.sass:2:1: <CONSTANT_MAPPING> has no end; expected </CONSTANT_MAPPING> behind it");
}

TEST(Maxas, SaysWhatToRunFirstOnTemplates) {
  const auto fault = [](const std::string& line) {
    return faults_of("k.sass", maxas("", "--:-:-:-:1      NOP;\n" + line + "\n"));
  };
  const std::string first =
      " is for maxas' preprocessor; expected what 'maxas.pl --pre FILE' makes of the text";
  EXPECT_EQ(fault("<CODE>\nreturn 1;\n</CODE>"), "k.sass:3: <CODE" + first);
  EXPECT_EQ(fault("<CODE1>"), "k.sass:3: <CODE" + first);
  EXPECT_EQ(fault("  <SCHEDULE_BLOCK>"), "k.sass:3: <SCHEDULE_BLOCK" + first);
  EXPECT_EQ(fault("<ORDERED>"), "k.sass:3: <ORDERED" + first);
  EXPECT_EQ(fault("<INCLUDE file=\"a.sass\"/>"), "k.sass:3: <INCLUDE" + first);
  EXPECT_EQ(fault("--:-:-:-:1  MOV R0, [+ $x +];"), "k.sass:3: [+" + first);
}

TEST(Turingas, IsRefusedByName) {
  const std::string refused =
      " is a text for turingas; expected the cubin that 'python -m turingas.main' makes of it";
  const std::string code = "--:-:1:-:5    S2R tid, SR_TID.X;\n--:-:-:-:5    EXIT;\n";
  EXPECT_EQ(faults_of("k.sass", "<params>\noutput, 8\n</params>\n" + code), "k.sass:1:" + refused);
  EXPECT_EQ(faults_of("k.sass", "# a\n<regs>\n0-3 ~ o0, tid\n</regs>\n" + code),
            "k.sass:2:" + refused);
  EXPECT_EQ(faults_of("k.sass", code + "<code>\nout_ = ''\n</code>\n"), "k.sass:3:" + refused);
}

TEST(ASourceViewOfNsightCompute, IsRefusedByName) {
  const std::string refused =
      "k.txt: is a source view of Nsight Compute, which has no words of instructions; expected one "
      "with words (cuobjdump -sass, nvdisasm -hex)";
  EXPECT_EQ(faults_of("k.txt",
                      "\"#\",\"Address\",\"Source\",\"Samples\"\n"
                      "\"0\",\"0x7f9c4d000000\",\"MOV R1, c[0x0][0x28]\",\"1\"\n"),
            refused);
  EXPECT_EQ(faults_of("k.txt", "#\tAddress\tSource\n1\t00007f0b 2b2f9b00\tEXIT\n"), refused);
}

const std::string kNoWords =
    " without words; expected one with words (cuobjdump -sass, nvdisasm -hex)";

TEST(AListingWithoutWords, IsRefusedByName) {
  const auto listing = [](const std::string& sm, const std::string& frame) {
    return "\n\tcode for " + sm + "\n" + frame +
           "        /*0000*/     MOV R1, c[0x0][0x28] ;\n"
           "        /*0010*/     EXIT  ;\n";
  };
  EXPECT_EQ(faults_of("k.sass", listing("sm_80", "\t\tFunction : k\n")),
            "k.sass: is a listing of sm_80" + kNoWords);
  EXPECT_EQ(faults_of("k.sass", listing("sm_120", "\t\tFunction : k\n")),
            "k.sass: is a listing of sm_120" + kNoWords);
  EXPECT_EQ(faults_of("k.sass", listing("sm_52", "\t\tFunction : k\n")),
            "k.sass: is a listing" + kNoWords);
  EXPECT_EQ(faults_of("k.sass",
                      "\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n        /*0008*/  EXIT ;\n"),
            "k.sass: is a listing" + kNoWords);
}

TEST(AListingWithoutWords, IsNoSourceThatSpeaksOfFunctions) {
  EXPECT_EQ(faults_of("k.cu", "/* Function : k */\n__global__ void k() {}\n"),
            "k.cu: is CUDA source; expected what is compiled from it (nvcc -ptx)");
}

/// Code as Compiler Explorer and Nsight Compute show it: with function names or line numbers.
TEST(AListingWithoutWords, IsKnownByItsInstructionsWhereNothingFramesIt) {
  EXPECT_EQ(
      faults_of(
          "k.sass",
          "k(float*):\n LDC R1, c[0x0][0x28] \n S2R R3, SR_TID.X \n ULDC.64 UR4, c[0x0][0x208] \n"
          " IMAD.WIDE.U32 R4, R3, 0x4, R4 \n LDG.E R0, desc[UR4][R4.64] \n EXIT \n"),
      "k.sass:4:2: unknown opcode 'ULDC'; this may be a listing of sm_70 or later" + kNoWords);
  EXPECT_EQ(
      faults_of("k.sass",
                "MOV R1, c[0x0][0x28]\n@P0 IMAD.MOV.U32 R2, RZ, RZ, R1\nSTG.E.SYS [R2], R1\n"),
      "k.sass:2:9: cannot read the operands of IMAD; this may be a listing of sm_70 or later" +
          kNoWords);
  EXPECT_EQ(
      faults_of("k.sass",
                "\n        /*0000*/     LDC R1, c[0x0][0x28] ;\n        /*0010*/     EXIT ;\n"),
      "k.sass: is a listing" + kNoWords);
  EXPECT_EQ(faults_of("k.sass",
                      "1\t00007f93 5afa0c00\t      MOV R1, c[0x0][0x28]\n2\t00007f93 5afa0c10\t    "
                      "  IADD3 R2, R1, 0x1, RZ\n"),
            "k.sass:1:1: unknown opcode '1'; this may be a listing of sm_70 or later" + kNoWords);
}

TEST(AListingWithoutWords, IsNoPtxThatHasAFunctionNamedAsAnOpcode) {
  for (const std::string name : {"shfl", "vote", "min"}) {
    EXPECT_EQ(
        faults_of("k.sass", name + "(float*):\n LDC R1, c[0x0][0x28] \n S2R R3, SR_TID.X \n"
                                   " ULDC.64 UR4, c[0x0][0x208] \n EXIT \n"),
        "k.sass:4:2: unknown opcode 'ULDC'; this may be a listing of sm_70 or later" + kNoWords);
  }
}

/// As in a terminal or a forum, where tabs have become spaces.
TEST(AListingWithoutWords, IsKnownWhateverWhiteSpaceItHas) {
  EXPECT_EQ(faults_of("k.txt",
                      "        .target sm_90\n        .elftype        @\"ET_EXEC\"\n"
                      "        .section        .text.k,\"ax\",@progbits\n.text.k:\n"
                      "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"),
            "k.txt: is a listing of sm_90" + kNoWords);
}

TEST(AReportOfATool, IsRefusedByName) {
  const auto refusal = [](const std::string& what) {
    return "k.txt: is " + what +
           ", which has no code to execute; expected the cubin, or a listing with words (cuobjdump "
           "-sass, nvdisasm -hex)";
  };
  EXPECT_EQ(faults_of("k.txt", "digraph f {\nsubgraph \"cluster_k\" {\n"),
            refusal("a graph of nvdisasm -cfg"));
  EXPECT_EQ(faults_of("k.txt", "[{\"ELF\":{\"layout-id\":4},\"SM\":{\"version\":9}}]\n"),
            refusal("JSON of nvdisasm -json"));
  EXPECT_EQ(faults_of("k.txt", "ELF file    1: k.1.sm_75.cubin\n"),
            refusal("a list of cuobjdump -lelf"));
  EXPECT_EQ(faults_of("k.txt", "\n64-bit ELF: type=ET_EXEC, ABI=8, sm=75\nSections:\n"),
            refusal("a dump of cuobjdump -elf"));
  EXPECT_EQ(faults_of("k.txt", "Resource usage:\n Common:\n  GLOBAL:64\n"),
            refusal("a report of cuobjdump -res-usage"));
  EXPECT_EQ(faults_of("k.txt", "ptxas info    : 0 bytes gmem\n"), refusal("a report of ptxas -v"));
  EXPECT_EQ(faults_of("k.txt",
                      "------------- NVBit (NVidia Binary Instrumentation Tool v1.7.6) Loaded "
                      "--------------\nkernel 0 - k - #thread-blocks 1\n"),
            refusal("a report of an NVBit tool"));
  EXPECT_EQ(faults_of("k.txt", "MEMTRACE: CTX 0x55 - LAUNCH - Kernel name k - grid size 1,1,1\n"),
            refusal("a report of NVBit's mem_trace"));
  EXPECT_EQ(faults_of("k.txt", "==PROF== Connected to process 1 (/k)\n"),
            refusal("a report of Nsight Compute"));
  EXPECT_EQ(faults_of("k.txt", "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"),
            refusal("a report of compute-sanitizer"));
  const std::string gdb = "0x00007fffd8fa0000 <+0>:\tLDC R1, c[0x0][0x28]\n";
  EXPECT_EQ(faults_of("k.txt", "   " + gdb + "   " + gdb), refusal("a disassembly of cuda-gdb"));
  EXPECT_EQ(faults_of("k.txt", "=> " + gdb), refusal("a disassembly of cuda-gdb"));
  EXPECT_EQ(faults_of("k.txt", "Dump of assembler code for function k:\n=> " + gdb),
            refusal("a disassembly of cuda-gdb"));
}

TEST(OneFault, StandsForATextInAnotherLanguage) {
  EXPECT_EQ(faults_of("a.s",
                      "s_load_dword s0, s4, 0x0\nv_lshlrev_b32_e32 v0, 2, v0\nv_add_u32 v1, v2, "
                      "v3\ns_endpgm\n"),
            "a.s:1:1: unknown opcode 's_load_dword'; this may be code of an AMD GPU; expected code "
            "of an NVIDIA GPU");
  EXPECT_EQ(
      faults_of("a.ll", "define void @k(ptr %0) {\n  %2 = add i32 1, 2\n  ret void\n}\n"),
      "a.ll:1:1: unknown opcode 'define'; this may be LLVM IR; expected code of an NVIDIA GPU");
  EXPECT_EQ(faults_of("a.txt", "This is prose.\nIt goes on\nand on\n"),
            "a.txt:1:1: unknown opcode 'This'; this may be no code of an NVIDIA GPU; expected what "
            "'shflsim list inputs' shows");
}

TEST(OneFault, StandsForATable) {
  const auto fault = [](const std::string& name) {
    return "t.txt:1:1: '" + name +
           "' is no label; this may be no code of an NVIDIA GPU; expected what 'shflsim list "
           "inputs' shows";
  };
  EXPECT_EQ(faults_of("t.txt", "Comb 1 : [3000]\nComb 2 : [2000]\n"), fault("Comb 1 "));
  EXPECT_EQ(faults_of("t.txt", "// times\n\n(R8, R9): 1.0\n(R9, R8): 2.0\nend\n"),
            "t.txt:3:1: '(R8, R9)" + fault("").substr(12));
  EXPECT_EQ(faults_of("t.txt", "a-b:\nNOP\n"),
            "t.txt:1:1: 'a-b' is no label; expected letters, digits, '_' and '.'");
}

TEST(OneFault, StandsForNoOtherWhereATextIsOfTheLanguage) {
  EXPECT_EQ(faults_of("k.sass", "MOVX R0, R1\nIADE R2, R3, R4\nEXIT\n"),
            "k.sass:1:1: unknown opcode 'MOVX'; did you mean 'MOV'?\n"
            "k.sass:2:1: unknown opcode 'IADE'; did you mean 'IADD'?");
  const auto guesses = [](const std::string& text) {
    return faults_of("k.sass", text).find("this may be") != std::string::npos;
  };
  EXPECT_FALSE(guesses("BRA there\nBRA there\nEXIT\n")) << "a label is missing";
  EXPECT_FALSE(guesses("FADD R0, R1, 1.1\nFADD R0, R1, 1.3\nEXIT\n")) << "too many digits";
  EXPECT_FALSE(guesses("MOV R0, R1\nSTG.E [R2], R300\nEXIT\n"));
  EXPECT_FALSE(guesses("01:-:-:-:5      BRA there;\n01:-:-:-:5      BRA there;\n"));
  const std::string missing = faults_of("k.cuasm", sm75("BRA `(.L_2)"));
  EXPECT_NE(missing, "");
  EXPECT_EQ(missing.find("this may be"), std::string::npos);
}

}  // namespace foreign_text_test
}  // namespace shflsim::isa
