// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "isa/base/input_error.h"
#include "isa/dialects/source.h"
#include "tests/isa/fatbin_support.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace reader_fatbin_test {

using KernelNames = std::vector<std::string>;

const std::string& kernels_cubin() {
  static const std::string bytes = test::read_file(test::data_path("sm50/kernels.cubin.gz"));
  return bytes;
}

std::string ptx(const std::string& kernel, const std::string& body = "") {
  return ".version 8.0\n.target sm_50\n.address_size 64\n.visible .entry " + kernel + "()\n{\n" +
         body + "ret;\n}\n";
}

std::unique_ptr<Source> opened(const std::string& text, const std::string& architecture = "") {
  const SourceText source{"file", text, architecture};
  EXPECT_TRUE(Dialects::named("fatbin").recognises(source));
  return Dialects::named("fatbin").open(source);
}

std::string error_of(const std::string& text, const std::string& architecture = "") {
  try {
    opened(text, architecture)->kernels();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Fatbin, OpensTheCubinInsideHoweverItIsPacked) {
  const WrittenEntry plain = cubin_entry(50, kernels_cubin());
  const auto lone = Dialects::named("cubin").open({"file", kernels_cubin()});
  for (const WrittenEntry& entry : {plain, with_lz4(plain), with_zstd(plain)}) {
    const auto source = opened(fatbin_of({entry}));
    EXPECT_EQ(source->kernels(), lone->kernels());
    EXPECT_EQ(source->program("reduce_xor").texts, lone->program("reduce_xor").texts);
  }
}

TEST(Fatbin, OpensThePtxInsideHoweverItIsPacked) {
  const WrittenEntry plain = ptx_entry(75, ptx("a"));
  for (const WrittenEntry& entry : {plain, with_lz4(plain), with_zstd(plain)}) {
    const auto source = opened(fatbin_of({entry}));
    EXPECT_EQ(source->kernels(), KernelNames{"a"});
    EXPECT_TRUE(source->program("a").is_lowered);
  }
}

TEST(Fatbin, WhichFatbinaryWroteIsUnpacked) {
  for (const char* name : {"index_dynamic", "lz4", "zstd"}) {
    const std::string path = test::source_path(std::string("tests/fuzz/corpus/cubin/") + name);
    EXPECT_EQ(open_source(path + ".fatbin")->program("index_dynamic").code.size(), 18u) << name;
  }
  const std::string path = test::source_path("tests/fuzz/corpus/cubin/zstd.fatbin");
  EXPECT_TRUE(open_source(path, {"compute_52"})->program("index_dynamic").is_lowered);
}

TEST(Fatbin, TakesCubinsThatCanBeExecutedBeforePtxAndThatForTheOldestArchitecture) {
  const std::vector<WrittenEntry> ptx_alone = {
      ptx_entry(75, ptx("newer")), ptx_entry(60, ptx("older")), cubin_entry(35, kernels_cubin())};
  EXPECT_EQ(opened(fatbin_of(ptx_alone))->kernels(), KernelNames{"older"});
  std::vector<WrittenEntry> both = ptx_alone;
  both.push_back(cubin_entry(50, kernels_cubin()));
  EXPECT_EQ(opened(fatbin_of(both))->kernels().size(), 16u);
  EXPECT_EQ(opened(fatbin_of(both), "compute_75")->kernels(), KernelNames{"newer"});
}

std::string cubin_of(unsigned sm) {
  return test::read_file(test::data_path("volta/c.sm" + std::to_string(sm) + ".cubin.gz"));
}

TEST(Fatbin, TakesTheNewestCubinWhateverTheOrder) {
  const WrittenEntry old = cubin_entry(75, cubin_of(75));
  const WrittenEntry middle = with_lz4(cubin_entry(90, cubin_of(90)));
  const WrittenEntry newest = with_zstd(cubin_entry(120, cubin_of(120)));
  const WrittenEntry text = ptx_entry(120, ptx("reduce_xor"));
  for (const auto& entries : std::vector<std::vector<WrittenEntry>>{
           {old, middle, newest, text}, {newest, text, middle, old}, {text, old, newest}}) {
    const auto source = opened(fatbin_of(entries));
    EXPECT_EQ(source->arch(), Arch::kSm120);
    EXPECT_EQ(source->program("reduce_xor").arch, Arch::kSm120);
  }
  const auto source = opened(fatbin_of({old, middle, newest, text}));
  EXPECT_EQ(source->program("reduce_xor").notes,
            KernelNames{"file: takes the code of sm_120; also holds compute_120, sm_75, sm_90 "
                        "(--arch)"});
  const auto chosen = opened(fatbin_of({old, middle, newest, text}), "sm_90");
  EXPECT_EQ(chosen->program("reduce_xor").arch, Arch::kSm90);
  EXPECT_EQ(chosen->program("reduce_xor").notes, KernelNames());
}

TEST(Fatbin, TakesTheNextCubinWhereTheNewestIsDamagedOrRefused) {
  const WrittenEntry old = cubin_entry(75, cubin_of(75));
  const WrittenEntry damaged = cubin_entry(90, "\177ELF");
  const Program program = opened(fatbin_of({old, damaged}))->program("reduce_xor");
  EXPECT_EQ(program.arch, Arch::kSm75);
  ASSERT_EQ(program.notes.size(), 2u);
  EXPECT_EQ(program.notes[0], "file:sm_90: is no complete ELF file; expected a cubin");

  SourceText source{"file", fatbin_of({old, cubin_entry(90, cubin_of(90))})};
  source.refusal = [](const Program& each) {
    return std::string(each.arch == Arch::kSm90 ? "one reason" : "");
  };
  const auto opened = Dialects::named("fatbin").open(source);
  EXPECT_EQ(opened->program("reduce_xor").arch, Arch::kSm75);
  EXPECT_EQ(opened->arch_of("reduce_xor"), Arch::kSm75);
  EXPECT_EQ(opened->program("reduce_xor").notes[0], "one reason");
  source.refusal = [](const Program&) { return std::string("every one"); };
  EXPECT_EQ(Dialects::named("fatbin").open(source)->program("reduce_xor").arch, Arch::kSm90);
}

TEST(Fatbin, EachKernelIsTakenFromTheSourceFileThatHasIt) {
  const std::string library = "!<arch>\n" + fatbin_of({cubin_entry(90, cubin_of(90))}) + "odd" +
                              fatbin_of({ptx_entry(50, ptx("a"))});
  const auto source = opened(library);
  EXPECT_EQ(source->arch_of("divergent_half"), Arch::kSm90);
  EXPECT_EQ(source->arch_of("a"), Arch::kSm50);
}

TEST(Fatbin, HasTheKernelsOfAllSourceFilesOfAProgram) {
  const std::string program = "\177ELF...program..." + fatbin_of({ptx_entry(50, ptx("a"))}) +
                              "between" + fatbin_of({cubin_entry(50, kernels_cubin())}) +
                              fatbin_of({ptx_entry(52, ptx("c")), ptx_entry(50, ptx("b"))});
  const auto source = opened(program);
  ASSERT_EQ(source->kernels().size(), 18u);
  EXPECT_EQ(source->kernels().front(), "a");
  EXPECT_EQ(source->kernels().back(), "b");
  EXPECT_EQ(source->program("b").code.size(), 1u);
}

TEST(Fatbin, MayHoldACubinWithoutKernelsAsNvccLinksIntoPrograms) {
  std::string empty = kernels_cubin();
  for (size_t at = empty.find(".text."); at != std::string::npos; at = empty.find(".text."))
    empty[at] = '-';
  EXPECT_EQ(opened(fatbin_of({cubin_entry(50, empty), ptx_entry(50, ptx("a"))}))->kernels(),
            KernelNames{});
  EXPECT_EQ(
      opened(fatbin_of({cubin_entry(50, empty)}) + fatbin_of({ptx_entry(50, ptx("a"))}))->kernels(),
      KernelNames{"a"});
}

TEST(Fatbin, SaysWhatThereIsWhereNoneOfItCanBeTaken) {
  const std::string text = fatbin_of({cubin_entry(35, "\177ELF"), cubin_entry(30, "\177ELF")}) +
                           fatbin_of({cubin_entry(35, "\177ELF")});
  EXPECT_EQ(error_of(text),
            "file: holds sm_30, sm_35; expected a cubin of sm_50 to sm_121, or PTX");
  EXPECT_EQ(error_of(text, "sm_80"), "file: holds sm_30, sm_35; expected sm_80 (--arch)");
  EXPECT_EQ(error_of(fatbin_of({})),
            "file: holds no code; expected a cubin of sm_50 to sm_121, or PTX");
}

TEST(Fatbin, NamesTheEntryOfAFault) {
  EXPECT_EQ(error_of(fatbin_of({ptx_entry(52, "\n?\n")})).rfind("file:compute_52:2:1: ", 0), 0u);
  EXPECT_EQ(error_of(fatbin_of({cubin_entry(50, "\177ELF")})),
            "file:sm_50: is no complete ELF file; expected a cubin");
}

TEST(Fatbin, RefusesOneThatIsCutOff) {
  std::string text = fatbin_of({cubin_entry(50, kernels_cubin())});
  text[24] = '\x7f';  // the entry's size
  text[27] = '\x7f';
  EXPECT_EQ(error_of(text), "file: the fat binary is cut off at byte 16; expected a whole one");
}

TEST(Fatbin, RefusesPackedCodeThatIsDamaged) {
  const WrittenEntry plain = cubin_entry(50, kernels_cubin());
  for (const WrittenEntry& whole : {with_lz4(plain), with_zstd(plain)}) {
    WrittenEntry entry = whole;
    entry.payload[entry.payload.size() / 2] ^= 0x55;
    entry.payload.resize(entry.payload.size() / 2 + 64);
    entry.compressed_bytes = static_cast<uint32_t>(entry.payload.size());
    EXPECT_EQ(error_of(fatbin_of({entry})),
              "file:sm_50: compressed code that is damaged; expected 25664 bytes of it");
    for (const int change : {-1, 1}) {
      entry = whole;
      entry.unpacked_bytes += static_cast<uint64_t>(change);
      EXPECT_NE(error_of(fatbin_of({entry})), "");
    }
    entry = whole;
    entry.compressed_bytes += 8;
    EXPECT_EQ(error_of(fatbin_of({entry})).rfind("file: compressed code for sm_50 of ", 0), 0u);
  }
}

TEST(Fatbin, UnpacksNoMoreThanAPayloadCanFill) {
  WrittenEntry entry = with_lz4(cubin_entry(50, std::string(40, 'a')));
  entry.unpacked_bytes = uint64_t{1} << 40;
  EXPECT_EQ(error_of(fatbin_of({entry})),
            "file: unpacked code of 1099511627776 bytes; expected 268435456 at most");
  entry.unpacked_bytes = uint64_t{1} << 28;
  const std::string most = std::to_string(entry.payload.size() * 255);
  EXPECT_EQ(error_of(fatbin_of({entry})),
            "file:sm_50: unpacked code of 268435456 bytes; expected " + most + " at most");
  WrittenEntry zeros = with_zstd(cubin_entry(50, std::string(size_t{200} << 20, '\0')));
  EXPECT_EQ(error_of(fatbin_of({zeros})), "file:sm_50: is no complete ELF file; expected a cubin");
}

TEST(Fatbin, ListsWithoutALookAtPtxsBodies) {
  const std::string text =
      ".version 8.0\n.target sm_75\n.address_size 64\n"
      ".const .align 4 .b8 table[4] = {1, 2, 3, 4};\n"
      ".func (.param .b32 r) twice(.param .b32 a)\n{ { rett; } }\n"
      ".visible .entry first(.param .u64 a, .param .u32 b) // {\n{\n\tunknown.b32 %r; /* } */\n}\n"
      ".visible .entry second()\n.maxntid 64, 1, 1\n{\nret;\n}\n";
  const std::vector<KernelSummary> rows =
      Dialects::named("fatbin").list({"file", fatbin_of({with_zstd(ptx_entry(75, text))})});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].kernel, "first");
  EXPECT_EQ(rows[0].parameters, (std::vector<uint32_t>{8, 4}));
  EXPECT_EQ(rows[0].instructions, std::nullopt);
  EXPECT_EQ(rows[0].architecture, "compute_75");
  EXPECT_EQ(rows[0].compression, "zstd");
  EXPECT_EQ(rows[0].use, "executed");
  EXPECT_EQ(rows[1].kernel, "second");
  EXPECT_EQ(rows[1].parameters, std::vector<uint32_t>());
}

TEST(Fatbin, ListsAllEntriesAndWhatCanBeDoneWithEach) {
  const WrittenEntry cubin = cubin_entry(50, kernels_cubin());
  const std::string later = test::read_file(test::data_path("volta/listed.sm90.cubin.gz"));
  const WrittenEntry ptx_a = ptx_entry(75, ptx("a"));
  WrittenEntry damaged = with_lz4(ptx_a);
  damaged.unpacked_bytes -= 1;
  const auto source = opened(fatbin_of({with_zstd(cubin_entry(90, later)), ptx_a,
                                        with_lz4(ptx_entry(52, ptx("b", "rett;\n"))), damaged}));
  const auto said = [](const KernelSummary& each) {
    return each.architecture + " " + each.form + " " + each.compression + " " + each.kernel + " " +
           each.use + (each.faults.empty() ? "" : ": " + each.faults.front().line());
  };
  KernelNames lines;
  for (const KernelSummary& each : source->summaries()) lines.push_back(said(each));
  const std::string unknown =
      "file:compute_52:6:1: unknown instruction 'rett'; did you mean 'ret'?";
  const std::string too_long = "file:compute_75: compressed code that is damaged; expected " +
                               std::to_string(damaged.unpacked_bytes) + " bytes of it";
  const KernelNames expected = {"sm_90 ELF zstd static_and_local executed",
                                "sm_90 ELF zstd three_barriers executed",
                                "sm_90 ELF zstd plain executed",
                                "compute_75 PTX  a executed",
                                "compute_52 PTX LZ4 b listed: " + unknown,
                                "compute_75 PTX LZ4  listed: " + too_long};
  EXPECT_EQ(lines, expected);
  const WrittenEntry same = ptx_entry(90, ptx("plain"));
  EXPECT_EQ(opened(fatbin_of({same, cubin_entry(90, later)}))->summaries().size(), 3u);
  EXPECT_EQ(opened(fatbin_of({same}) + fatbin_of({cubin_entry(90, later)}))->summaries().size(),
            4u);
  EXPECT_EQ(opened(fatbin_of({cubin, ptx_a}), "sm_50")->summaries().size(), 16u);
  EXPECT_THROW(opened(fatbin_of({}))->summaries(), InputError);
}

}  // namespace reader_fatbin_test
}  // namespace shflsim::isa
