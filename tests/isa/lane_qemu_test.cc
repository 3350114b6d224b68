// SPDX-License-Identifier: Apache-2.0
// RVV and SVE on qemu-user: each instruction is executed with random operands at each vector
// length, and its result is compared with the lane move.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "isa/families/lane_family.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace lane_qemu_test {

struct QemuCase {
  std::string text;
  std::vector<uint32_t> index;  ///< content of v3 or z2
  WideMask active = 0;
};

struct QemuMachine {
  const char* family;
  std::string compiler, emulator;
};

/// Assembles and runs a program; returns its output.
std::vector<uint32_t> output_of(const QemuMachine& machine, const std::string& assembly) {
  const std::string base = testing::TempDir() + "lanes." + machine.family;
  std::ofstream(base + ".s") << assembly;
  const std::string command =
      fmt::format("{0} -c {1}.s -o {1}.o && ld.lld {1}.o -o {1}.elf && {2} {1}.elf > {1}.out",
                  machine.compiler, base, machine.emulator);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const std::string bytes = test::read_file(base + ".out");
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  for (const char* end : {".s", ".o", ".elf", ".out"}) std::filesystem::remove(base + end);
  return words;
}

/// "label: .word first, first + 1 and so on".
std::string words_from(const std::string& label, uint32_t first, unsigned lanes) {
  std::string text = ".balign 8\n" + label + ":\n";
  for (unsigned lane = 0; lane < lanes; ++lane) text += fmt::format(".word {}\n", first + lane);
  return text;
}

constexpr uint32_t kFirst = 1000, kSecond = 2000, kOld = 3000;  ///< values of lane 0

uint32_t expected_value(const LaneSource& from, unsigned lane, bool scalar) {
  if (from.kind == LaneSource::Kind::kOld) return kOld + lane;
  if (!from.is_lane()) return 0;
  if (from.operand == 1) return scalar ? kSecond : kSecond + from.lane;
  return kFirst + from.lane;
}

void expect_moves(const QemuMachine& machine, const std::vector<QemuCase>& cases, unsigned lanes,
                  const std::string& assembly, const char* index_name) {
  const std::vector<uint32_t> words = output_of(machine, assembly);
  ASSERT_EQ(words.size(), cases.size() * lanes);
  const LaneFamily& family = LaneFamilies::named(machine.family, "family");
  for (size_t number = 0; number < cases.size(); ++number) {
    const QemuCase& each = cases[number];
    const LaneText text(each.text);
    const LaneMove move =
        family.read(text, {lanes, each.active, {{index_name, each.index}}}).steps[0];
    const bool scalar = text.operation().rfind("vslide1", 0) == 0;
    for (unsigned lane = 0; lane < lanes; ++lane)
      ASSERT_EQ(words[number * lanes + lane], expected_value(move.source[0][lane], lane, scalar))
          << each.text << " of " << lanes << " lanes, lane " << lane;
  }
}

std::vector<QemuCase> rvv_cases(unsigned lanes) {
  std::mt19937_64 random(lanes);
  std::vector<QemuCase> cases;
  const char* const operations[] = {"vslideup.vi v1, v2, {}",    "vslidedown.vi v1, v2, {}",
                                    "vrgather.vi v1, v2, {}",    "vrgather.vv v1, v2, v3",
                                    "vslide1up.vx v1, v2, 2000", "vslide1down.vx v1, v2, 2000",
                                    "vcompress.vm v1, v2, v3"};
  for (unsigned count = 0; count < 1400; ++count) {
    const std::string operation = operations[count % 7];
    const bool packs = operation[1] == 'c';
    QemuCase each{fmt::format(fmt::runtime(operation), random() % 32), {}, all_lanes_of(lanes)};
    for (unsigned lane = 0; lane < lanes; ++lane)
      each.index.push_back(static_cast<uint32_t>(random() % (packs ? 2 : lanes + lanes / 2)));
    if (!packs && count % 2 != 0) {
      each.active &= random();
      each.text += ", v0.t";
    }
    cases.push_back(each);
  }
  return cases;
}

std::string rvv_program(const std::vector<QemuCase>& cases, unsigned lanes) {
  std::string code =
      ".globl _start\n_start:\nla s0, out\nvsetvli t0, zero, e32, m1, tu, mu\nli a0, 2000\n";
  std::string data =
      ".data\n" + words_from("first", kFirst, lanes) + words_from("old", kOld, lanes);
  for (size_t number = 0; number < cases.size(); ++number) {
    const QemuCase& each = cases[number];
    const bool packs = each.text[1] == 'c';
    WideMask bits = 0;
    data += fmt::format(".balign 8\nindex{}:\n", number);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      bits |= WideMask{each.index[lane] & 1} << lane;
      if (!packs) data += fmt::format(".word {}\n", each.index[lane]);
    }
    if (packs) data += fmt::format(".dword {}\n", bits);
    data += fmt::format(".balign 8\nmask{}: .dword {}\n", number, each.active);
    std::string text = each.text;
    if (text.find("2000") != std::string::npos) text.replace(text.find("2000"), 4, "a0");
    code += fmt::format(
        "la t1, first\nvle32.v v2, (t1)\nla t1, old\nvle32.v v1, (t1)\nla t1, index{0}\n{1} v3, "
        "(t1)\n"
        "la t1, mask{0}\nvlm.v v0, (t1)\n{2}\nvse32.v v1, (s0)\naddi s0, s0, {3}\n",
        number, packs ? "vlm.v" : "vle32.v", text, 4 * lanes);
  }
  const size_t bytes = cases.size() * lanes * 4;
  code += fmt::format(
      "li a0, 1\nla a1, out\nli a2, {}\nli a7, 64\necall\nli a0, 0\nli a7, 93\necall\n", bytes);
  return code + data + fmt::format(".bss\n.balign 8\nout: .space {}\n", bytes);
}

TEST(LaneQemu, RvvIsAsQemuExecutesIt) {
  if (std::system("command -v qemu-riscv64 clang ld.lld >/dev/null") != 0)
    GTEST_SKIP() << "qemu-user, clang or lld is not installed";
  for (const unsigned lanes : {4u, 8u, 16u, 32u}) {
    const QemuMachine machine{
        "rvv", "clang --target=riscv64 -march=rv64gcv",
        fmt::format("qemu-riscv64 -cpu rv64,v=true,vext_spec=v1.0,vlen={}", 32 * lanes)};
    const std::vector<QemuCase> cases = rvv_cases(lanes);
    expect_moves(machine, cases, lanes, rvv_program(cases, lanes), "v3");
  }
}

std::vector<QemuCase> sve_cases(unsigned lanes) {
  std::mt19937_64 random(lanes);
  std::vector<QemuCase> cases;
  const char* const operations[] = {"tbl z0.s, {{z1.s}}, z2.s",
                                    "ext z1.b, z1.b, z2.b, #{}",
                                    "splice z1.s, p0, z1.s, z2.s",
                                    "compact z0.s, p0, z1.s",
                                    "rev z0.s, z1.s",
                                    "dup z0.s, z1.s[{}]",
                                    "zip1 z0.s, z1.s, z2.s",
                                    "zip2 z0.s, z1.s, z2.s",
                                    "uzp1 z0.s, z1.s, z2.s",
                                    "uzp2 z0.s, z1.s, z2.s",
                                    "trn1 z0.s, z1.s, z2.s",
                                    "trn2 z0.s, z1.s, z2.s"};
  for (unsigned count = 0; count < 1200; ++count) {
    const std::string operation = operations[count % 12];
    const bool predicated = operation.find("p0") != std::string::npos;
    const unsigned number = operation[0] == 'e' ? random() % 64 * 4 : random() % 16;
    QemuCase each{fmt::format(fmt::runtime(operation), number), {}, all_lanes_of(lanes)};
    for (unsigned lane = 0; lane < lanes; ++lane)
      each.index.push_back(operation[0] == 't' && operation[1] == 'b'
                               ? static_cast<uint32_t>(random() % (lanes + lanes / 2))
                               : kSecond + lane);
    if (predicated) each.active &= count % 5 == 0 ? 0 : random();
    cases.push_back(each);
  }
  return cases;
}

std::string sve_program(const std::vector<QemuCase>& cases, unsigned lanes) {
  std::string code =
      ".arch armv8-a+sve\n.globl _start\n_start:\nptrue p1.s\nadrp x3, out\nadd x3, x3, "
      ":lo12:out\n";
  std::string data =
      ".data\n" + words_from("first", kFirst, lanes) + words_from("old", kOld, lanes);
  for (size_t number = 0; number < cases.size(); ++number) {
    const QemuCase& each = cases[number];
    data += fmt::format(".balign 8\nindex{}:\n", number);
    for (const uint32_t value : each.index) data += fmt::format(".word {}\n", value);
    data += fmt::format(".balign 8\nmask{}:\n", number);
    for (unsigned lane = 0; lane < lanes; lane += 2)
      data += fmt::format(".byte {}\n", (each.active >> lane & 1) | (each.active >> (lane + 1) & 1)
                                                                        << 4);
    const auto address = [&](const char* name, size_t its) {
      const std::string label = its == ~size_t{0} ? name : fmt::format("{}{}", name, its);
      return fmt::format("adrp x4, {0}\nadd x4, x4, :lo12:{0}\n", label);
    };
    const bool in_place = each.text[0] == 'e' || each.text[0] == 's';
    code += address("first", ~size_t{0}) + "ld1w {z1.s}, p1/z, [x4]\n" +
            address("old", ~size_t{0}) + "ld1w {z0.s}, p1/z, [x4]\n" + address("index", number) +
            "ld1w {z2.s}, p1/z, [x4]\n" + address("mask", number) + "ldr p0, [x4]\n" + each.text +
            "\n" +
            fmt::format("st1w {{z{}.s}}, p1, [x3]\nadd x3, x3, #{}\n", in_place ? 1 : 0, 4 * lanes);
  }
  const size_t bytes = cases.size() * lanes * 4;
  code += fmt::format(
      "mov x0, #1\nadrp x1, out\nadd x1, x1, :lo12:out\nldr x2, =0x{:x}\nmov x8, #64\nsvc #0\n"
      "mov x0, #0\nmov x8, #93\nsvc #0\n.ltorg\n",
      bytes);
  return code + data + fmt::format(".bss\n.balign 16\nout: .space {}\n", bytes);
}

TEST(LaneQemu, SveIsAsQemuExecutesIt) {
  if (std::system("command -v qemu-aarch64 clang ld.lld >/dev/null") != 0)
    GTEST_SKIP() << "qemu-user, clang or lld is not installed";
  for (const unsigned lanes : {4u, 8u, 16u, 32u, 64u}) {
    const QemuMachine machine{
        "sve", "clang --target=aarch64",
        fmt::format("qemu-aarch64 -cpu max,sve-default-vector-length={}", 4 * lanes)};
    const std::vector<QemuCase> cases = sve_cases(lanes);
    expect_moves(machine, cases, lanes, sve_program(cases, lanes), "z2");
  }
}

}  // namespace lane_qemu_test
}  // namespace shflsim::isa
