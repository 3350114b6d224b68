// SPDX-License-Identifier: Apache-2.0
// What cuobjdump prints of objects and programs with code for several architectures.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "isa/base/input_error.h"
#include "isa/dialects/source.h"
#include "isa/dialects/verify_words.h"

namespace shflsim::isa {
namespace cuobjdump_test {

std::string entry(const std::string& kind, const std::string& sm) {
  return "\nFatbin " + kind + " code:\n================\narch = sm_" + sm +
         "\ncode version = [1,8]\nhost = linux\ncompile_size = 64bit\n";
}

std::string sass(const std::string& sm, const std::string& kernel = "k") {
  return entry("elf", sm) + "\n\tcode for sm_" + sm + "\n\t\tFunction : " + kernel +
         "\n        /*0000*/                   EXIT ;  /* 0x000000000000794d */\n"
         "                                           /* 0x000fea0003800000 */\n\t\t..........\n";
}

std::string ptx(const std::string& sm) {
  return entry("ptx", sm) + "ptxasOptions = \n\n.version 8.0\n.target sm_" + sm +
         "\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n";
}

std::unique_ptr<Source> opened(const std::string& text, const std::string& architecture = "") {
  const SourceText source{"k.txt", text, architecture};
  for (const Dialect& dialect : Dialects::all()) {
    if (dialect.recognises(source)) return dialect.open(source);
  }
  throw InputError("no dialect takes it");
}

std::string fault_of(const std::string& text, const std::string& architecture = "") {
  try {
    opened(text, architecture)->program("k");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(OutputOfCuobjdump, IsReadForTheNewestArchitecture) {
  const auto source = opened(sass("75") + sass("90") + sass("80"));
  EXPECT_EQ(source->kernels(), std::vector<std::string>{"k"});
  const Program program = source->program("k");
  EXPECT_EQ(program.arch, Arch::kSm90);
  EXPECT_EQ(program.code.size(), 1u);
  ASSERT_EQ(program.notes.size(), 1u);
  EXPECT_EQ(program.notes[0], "k.txt: takes the code of sm_90; also holds sm_75, sm_80 (--arch)");
}

TEST(OutputOfCuobjdump, IsReadForTheArchitectureThatIsChosen) {
  const std::string both = sass("75") + sass("90");
  EXPECT_EQ(opened(both, "sm_75")->program("k").arch, Arch::kSm75);
  EXPECT_TRUE(opened(both, "sm_75")->program("k").notes.empty());
  EXPECT_EQ(opened(sass("90"), "sm_90")->program("k").arch, Arch::kSm90);
  EXPECT_EQ(fault_of(both, "sm_80"), "k.txt: holds sm_75, sm_90; expected sm_80 (--arch)");
  EXPECT_EQ(fault_of(sass("90"), "sm_80"), "k.txt: holds sm_90; expected sm_80 (--arch)");
}

TEST(OutputOfCuobjdump, MayHaveKernelsInSeveralEntriesOfAnArchitecture) {
  const auto source = opened(sass("80", "a") + sass("90", "a") + sass("80", "b") + sass("90", "b"));
  EXPECT_EQ(source->kernels(), (std::vector<std::string>{"a", "b"}));
}

TEST(OutputOfCuobjdump, IsListedWithItsArchitectures) {
  std::vector<std::string> rows;
  for (const KernelSummary& each : opened(sass("75") + sass("90") + ptx("90"))->summaries())
    rows.push_back(each.kernel + " " + each.architecture + " " + each.use);
  EXPECT_EQ(rows, (std::vector<std::string>{"k sm_75 executed", "k sm_90 executed",
                                            "k compute_90 executed"}));
}

TEST(OutputOfCuobjdump, IsReadAsPtxWhereThereIsNoListing) {
  EXPECT_EQ(opened(entry("elf", "90") + ptx("90"))->program("k").arch, Arch::kSm50);
  EXPECT_EQ(opened(ptx("75") + ptx("90"), "compute_90")->kernels(), std::vector<std::string>{"k"});
  EXPECT_EQ(opened(sass("90") + ptx("90"))->program("k").arch, Arch::kSm90);
}

TEST(OutputOfCuobjdump, NamesFaultsByTheirLinesInTheFile) {
  std::string broken = ptx("75");
  broken.replace(broken.find("ret;"), 4, "oops;");
  EXPECT_EQ(fault_of(broken + sass("90") + sass("90"), "compute_75").substr(0, 9), "k.txt:15:");
}

TEST(OutputOfCuobjdump, IsVerifiedKernelByKernelAsCodeOfItsArchitecture) {
  const std::string late =
      "\n\tcode for sm_90\n\t\tFunction : j\n        /*0000*/ VIADD R4, R0, 0xffffffe ; "
      "/* 0x0ffffffe00047836 */\n /* 0x001fcc0000000000 */\n";
  const SourceText source{"k.txt", sass("75") + late + sass("80")};
  const Verification found = verify_words(source, std::nullopt);
  EXPECT_EQ(found.instructions, 3u);
  EXPECT_TRUE(found.all_equal());
}

TEST(OutputOfCuobjdump, IsRefusedWithoutCode) {
  EXPECT_EQ(fault_of(entry("elf", "75") + "\n64-bit ELF: type=ET_EXEC, ABI=8, sm=75\n"),
            "k.txt: is output of cuobjdump without code; expected that of cuobjdump -sass or "
            "cuobjdump -ptx");
  EXPECT_EQ(fault_of(sass("35") + sass("37")),
            "k.txt: holds sm_35, sm_37; expected code of sm_50 to sm_121, or PTX");
}

TEST(OutputOfCuobjdump, MayHaveAKernelOfSeveralObjects) {
  const std::string second =
      "        /*0010*/                   NOP ;  /* 0x0000000000007918 */\n"
      "                                           /* 0x000fc00000000000 */\n";
  std::string longer = sass("90");
  longer.insert(longer.find("\t\t......"), second);
  for (const std::string& both : {sass("90") + longer, sass("90") + sass("90", "other") + longer}) {
    const auto source = opened(both);
    EXPECT_EQ(source->kernels().front(), "k");
    EXPECT_EQ(source->kernels().size(), both.find("other") == std::string::npos ? 1u : 2u);
    EXPECT_EQ(source->program("k").code.size(), 1u);
  }
}

constexpr const char* kBundle =
    "   /* 0x001ffc00fde007ef */\n        /*0008*/  EXIT ;  /* 0xe30000000007000f */\n"
    "        /*0010*/  NOP ;  /* 0x50b0000000070f00 */\n"
    "        /*0018*/  NOP ;  /* 0x50b0000000070f00 */\n";

TEST(AListing, OfSm50MayHaveAKernelOfSeveralObjects) {
  std::string second = kBundle;
  const std::string exit = "EXIT ;  /* 0xe30000000007000f */";
  second.replace(second.find(exit), exit.size(), "NOP ;  /* 0x50b0000000070f00 */");
  const std::string head = "\t\tFunction : k\n";
  const auto source = opened("\tcode for sm_52\n" + head + kBundle + head + second);
  EXPECT_EQ(source->kernels(), std::vector<std::string>{"k"});
  EXPECT_EQ(source->program("k").texts.front(), "EXIT");
}

TEST(AListing, OfSm50MayHaveCommentsBehindInstructions) {  // nvdisasm -plr
  std::string text = std::string("\tcode for sm_52\n\t\tFunction : k\n") + kBundle;
  for (const char* const end : {"EXIT ;", "0x50b0000000070f00 */"})
    text.insert(text.find(end) + std::string(end).size(), " // |  1   ^     |");
  text.insert(text.rfind("NOP ;") + 5, " // |  1");
  text.replace(text.rfind("  /* 0x50b"), 1, "\n");
  EXPECT_EQ(fault_of(text), "");
}

constexpr const char* kInstruction =
    "        /*0000*/                   EXIT ;  /* 0x000000000000794d */\n"
    "                                           /* 0x000fea0003800000 */\n";

TEST(APieceOfAListing, IsReadWhereItNamesKernelAndArchitecture) {
  const std::string function = "\t\tFunction : k\n";
  const std::string flags = "\t.headerflags\t@\"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)\"\n";
  EXPECT_EQ(opened(function + flags + kInstruction)->program("k").arch, Arch::kSm90);
  const std::string older =
      "\t.headerflags\t@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM75 "
      "EF_CUDA_VIRTUAL_SM(EF_CUDA_SM75)\"\n";
  EXPECT_EQ(opened(function + older + kInstruction)->program("k").arch, Arch::kSm75);
  EXPECT_EQ(opened("\tcode for sm_80\n" + function + kInstruction)->program("k").arch, Arch::kSm80);
}

TEST(APieceOfAListing, IsRefusedByNameWithoutThem) {
  const std::string refusal =
      "k.txt: is a piece of a listing; expected also the lines in front of it that name the "
      "architecture and the kernel: 'code for sm_90' and 'Function : k'";
  EXPECT_EQ(fault_of(kInstruction), refusal);
  EXPECT_EQ(fault_of("Here is my code:\n" + std::string(kInstruction)), refusal);
  EXPECT_EQ(fault_of("\t\tFunction : k\n" + std::string(kInstruction)), refusal);
  EXPECT_EQ(fault_of("\tcode for sm_90\n" + std::string(kInstruction)), refusal);
  EXPECT_EQ(fault_of("        /*0008*/                   MOV R1, c[0x0][0x20] ;  /* "
                     "0x4c98078000870001 */\n"),
            refusal);
}

TEST(AListing, OfDataAloneIsRefusedByName) {
  const std::string data =
      "\t.section\t.nv.global.init,\"aw\",@progbits\n\t.align\t4\ntable:\n"
      "\t.type\ttable,@object\n        /*0000*/ \t.byte\t0x01, 0x00\n";
  const std::string refusal =
      "k.txt: is a listing of data without code; expected one with a section .text.KERNEL";
  EXPECT_EQ(fault_of("\t.target\tsm_90\n\n\t.elftype\t@\"ET_EXEC\"\n" + data), refusal);
  EXPECT_EQ(fault_of("\t.headerflags\t@\"EF_CUDA_SM75\"\n\t.elftype\t@\"ET_EXEC\"\n" + data),
            refusal);
  EXPECT_EQ(fault_of("\t.elftype\t@\"ET_EXEC\"\n\t.section\t.debug_frame,\"\",@progbits\n"),
            refusal);
}

TEST(AListing, IsRefusedAtAWordWhoseInstructionIsNotThere) {
  const std::string head = "\tcode for sm_90\n\t\tFunction : k\n";
  const std::string broken =
      "\033[32m/*0010*/\033[0m NOP ;  /* 0x0000000000007918 */\n"
      "   /* 0x000fc00000000000 */\n";
  EXPECT_EQ(fault_of(head + kInstruction + broken),
            "k.txt:6:7: a word without its instruction; expected /*address*/ and the instruction's "
            "text in front");
}

TEST(AListing, IsReadAsPowerShellWritesIt) {
  const std::string path = testing::TempDir() + "shflsim_wide.txt";
  const auto read = [&path](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return std::string(read_source_text(path).text);
  };
  const std::string text = sass("90");
  std::string wide = "\xFF\xFE";
  for (const char letter : text) wide += std::string(1, letter) + '\0';
  EXPECT_EQ(read(wide), text);
  EXPECT_THROW(read(wide + "\x3B\x04"), InputError);
  std::string big = "\xFE\xFF";
  for (const char letter : text) big += std::string(1, '\0') + letter;
  EXPECT_EQ(read(big), text);
  std::remove(path.c_str());
}

// A linker puts the address of other code into the words.
TEST(AListing, IsRefusedWhereAnAddressIsNotInItsWords) {
  const std::string head = "\tcode for sm_90\n\t\tFunction : k\n";
  const std::string word = " /* 0x0000000000007943 */\n /* 0x003fea0003c00000 */\n";
  EXPECT_EQ(fault_of(head + "        /*0000*/ CALL.ABS.NOINC `(_Z5twicei) ;" + word),
            "k.txt:3:1: 'CALL.ABS.NOINC `(_Z5twicei)' needs an address that is not in its word; "
            "expected the cubin");
  EXPECT_EQ(fault_of(head + "        /*0000*/ CALL.ABS.NOINC 0x0 ;" + word),
            "k.txt:3:1: 'CALL.ABS.NOINC 0x0' needs an address that is not in its word; expected "
            "the cubin");
  EXPECT_EQ(fault_of(head + "        /*0000*/ MOV R4, 32@lo($str) ;" + word),
            "k.txt:3:1: 'MOV R4, 32@lo($str)' needs an address that is not in its word; expected "
            "the cubin");
}

TEST(AListing, IsRefusedWhereAKernelHasNoInstructions) {
  EXPECT_EQ(fault_of("\tcode for sm_90\n\t\tFunction : k\n\t\t.....\n\t\tFunction : j\n"
                     " /*0000*/ EXIT ; /* 0x000000000000794d */\n /* 0x000fea0003800000 */\n"),
            "k.txt: kernel 'k' has no instructions; expected words");
}

/// nvdisasm's constant bank 4 has the addresses of functions too, for all kernels of a file.
TEST(AListing, NeedsTheAddressOfAFunctionOnlyWhereAKernelReadsIt) {
  const auto text = [](const std::string& instruction) {
    return "\t.target\tsm_90\n\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n        /*0000*/ " +
           instruction +
           "\n\t.section\t.nv.constant4,\"a\",@progbits\n.nv.constant4:\n"
           "        /*0000*/ \t.dword\tvprintf\n";
  };
  EXPECT_EQ(fault_of(text("EXIT ; /* 0x000000000000794d */\n /* 0x000fea0003800000 */")), "");
  EXPECT_EQ(fault_of(text("LDC.64 R10, c[0x4][0x0] ; /* 0x01000000ff0a7b82 */\n"
                          " /* 0x000e620000000a00 */")),
            "k.txt: constant bank 4 holds the address of 'vprintf', which is no variable of this "
            "file; expected the cubin");
}

}  // namespace cuobjdump_test
}  // namespace shflsim::isa
