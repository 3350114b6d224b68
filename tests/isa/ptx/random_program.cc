// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/ptx/random_program.h"

#include <random>
#include <vector>

namespace shflsim::isa {
namespace {

class RandomPtx {
 public:
  RandomPtx(uint32_t seed, bool shuffles, const RandomRegisters& count)
      : random_(seed), shuffles_(shuffles), count_(count) {}

  std::string text() {
    text_ = R"(.version 8.0
.target sm_50
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)
{
)";
    text_ += ".reg .b32 %r<" + std::to_string(count_.words) + ">;\n.reg .b64 %d<" +
             std::to_string(count_.wides) + ">;\n.reg .f32 %f<" + std::to_string(count_.floats) +
             ">;\n.reg .pred %p<" + std::to_string(count_.predicates) + ">;\n";
    text_ += R"(.reg .b32 %t, %own, %v, %count<4>;
.reg .b64 %at, %to, %wide;
.reg .pred %loop<4>;
.shared .align 16 .b8 s[1024];
ld.param.u64 %at, [in];
ld.param.u64 %to, [out];
mov.u32 %t, %tid.x;
ld.global.u32 %v, [%at+1408];
setp.lt.u32 %loop0, %v, 32;
setp.ne.u32 %loop1, %v, %t;
and.pred %loop0, %loop0, %loop1;
@%loop0 exit;
mul.wide.u32 %wide, %t, 4;
add.s64 %at, %at, %wide;
add.s64 %to, %to, %wide;
shl.b32 %own, %t, 5;
)";
    start_registers();
    statements(12 + pick(20), 0);
    add_up();
    return text_ + "st.global.u32 [%to], %v;\nret;\n}\n";
  }

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  std::string one_of(const std::vector<std::string>& words) {
    return words[pick(static_cast<unsigned>(words.size()))];
  }
  void line(const std::string& words) { text_ += words + ";\n"; }
  std::string name(const char* stem, unsigned number) {
    return "%" + (stem + std::to_string(number));
  }
  std::string word() { return name("r", pick(count_.words)); }
  std::string wide() { return name("d", pick(count_.wides)); }
  std::string real() { return name("f", pick(count_.floats)); }
  std::string predicate() { return name("p", pick(count_.predicates)); }
  std::string number() {
    static const std::vector<std::string> kNumbers = {
        "0",     "1",     "-1",      "5",      "31",         "32",          "255",
        "65535", "65536", "-524289", "524287", "2147483647", "-2147483648", "305419896"};
    return one_of(kNumbers);
  }
  /// A 64-bit number; half of the time one that does not fit into 32 bits.
  std::string wide_number() {
    return pick(2) == 0 ? number() : one_of({"5000000000", "-5000000000", "-4294967290"});
  }
  /// Two operands, at most one of them a constant; both places are equally likely.
  std::string operands(const std::string& a, const std::string& b, const std::string& constant) {
    const unsigned place = pick(6);
    return (place == 0 ? constant : a) + ", " + (place == 1 ? constant : b);
  }
  std::string words() { return operands(word(), word(), number()); }
  std::string wides() { return operands(wide(), wide(), wide_number()); }

  void start_registers() {
    for (unsigned i = 0; i < count_.words; ++i) {
      line("ld.global.u32 " + name("r", i) + ", [%at+" + std::to_string(128 * (i % 10)) + "]");
    }
    for (unsigned i = 0; i < count_.wides; ++i) {
      line("mov.b64 " + name("d", i) + ", {" + name("r", i) + ", " +
           name("r", (i + 1) % count_.words) + "}");
    }
    for (unsigned i = 0; i < count_.floats; ++i)
      line("cvt.rn.f32.s32 " + name("f", i) + ", " + name("r", i));
    for (unsigned i = 0; i < count_.predicates; ++i) {
      line("setp.lt.s32 " + name("p", i) + ", " + name("r", i) + ", 0");
    }
  }

  void statements(unsigned count, unsigned depth) {
    for (unsigned i = 0; i < count; ++i) statement(depth);
  }

  void statement(unsigned depth) {
    switch (pick(16)) {
      case 0: return compare();
      case 1: return on_wides();
      case 2: return on_floats();
      case 3: return on_memory();
      case 4: return depth < 3 ? choice(depth) : on_words("");
      case 5: return depth < 3 ? loop(depth) : on_words("");
      case 6: return depth == 0 && shuffles_ ? shuffle() : on_words("");
      case 7: return copy();
      case 8: return on_words("@" + std::string(pick(2) == 0 ? "!" : "") + predicate() + " ");
      case 9: return product();
      case 10: return select();
      case 11: return leaves_.empty() ? on_words("") : leave();
      default: return on_words("");
    }
  }

  void on_words(const std::string& guard) {
    static const std::vector<std::string> kOperations = {
        "add.s32", "sub.s32", "and.b32", "or.b32",  "xor.b32",    "min.s32",
        "max.u32", "shl.b32", "shr.u32", "shr.s32", "mul.lo.s32", "add.s32"};
    line(guard + one_of(kOperations) + " " + word() + ", " + words());
  }

  void product() {
    switch (pick(4)) {
      case 0: return line("mad.lo.s32 " + word() + ", " + words() + ", " + word());
      case 1: return line("mul.hi.u32 " + word() + ", " + words());
      case 2: return line("mul.wide.s32 " + wide() + ", " + words());
      default: return line("mad.wide.u32 " + wide() + ", " + words() + ", " + wide());
    }
  }

  void on_wides() {
    static const std::vector<std::string> kOperations = {"add.s64", "sub.s64",    "and.b64",
                                                         "xor.b64", "mul.lo.s64", "min.s64",
                                                         "max.s64", "min.u64",    "max.u64"};
    switch (pick(4)) {
      case 0: return line("shl.b64 " + wide() + ", " + wide() + ", " + std::to_string(pick(64)));
      case 1: return line("cvt.u32.u64 " + word() + ", " + wide());
      case 2: return line("cvt.s64.s32 " + wide() + ", " + word());
      default: return line(one_of(kOperations) + " " + wide() + ", " + wides());
    }
  }

  void on_floats() {
    static const std::vector<std::string> kOperations = {"add.f32", "mul.f32", "sub.f32", "min.f32",
                                                         "max.f32"};
    if (pick(3) == 0) {
      return line("fma.rn.f32 " + real() + ", " + real() + ", " + real() + ", " + real());
    }
    const std::string constant = "0f" + one_of({"3F800000", "40490FDB", "00000000", "80000000",
                                                "BF000000", "00000001", "7F7FFFFF", "7F800000"});
    line(one_of(kOperations) + " " + real() + ", " + operands(real(), real(), constant));
  }

  /// Each thread has 32 bytes of its own.
  void on_memory() {
    const std::string place = "[%own+" + std::to_string(4 * pick(8)) + "]";
    if (pick(2) == 0) return line("st.shared.u32 " + place + ", " + word());
    line("ld.shared.u32 " + word() + ", " + place);
  }

  void compare() {
    const std::string p = predicate();
    switch (pick(4)) {
      case 0:
        return line("setp." + one_of({"lt", "gt", "le", "eq"}) + one_of({".s64 ", ".u64 "}) + p +
                    ", " + wides());
      case 1:
        return line("setp." + one_of({"lt", "gtu"}) + ".f32 " + p + ", " + real() + ", " + real());
      case 2: return line("and.pred " + p + ", " + predicate() + ", " + predicate());
      default:
        return line("setp." + one_of({"lt", "ge", "ne"}) + one_of({".s32 ", ".u32 "}) + p + ", " +
                    words());
    }
  }

  void copy() {
    switch (pick(4)) {
      case 0: return line("mov.u32 " + word() + ", " + number());
      case 1: return line("mov.b64 " + wide() + ", " + wide());
      case 2: return line("mov.b64 " + wide() + ", {" + word() + ", " + word() + "}");
      default: return line("mov.u32 " + word() + ", " + word());
    }
  }

  void select() { line("selp.b32 " + word() + ", " + words() + ", " + predicate()); }

  void shuffle() {
    line("shfl.sync.bfly.b32 " + word() + ", " + word() + ", " + std::to_string(pick(32)) +
         ", 31, -1");
  }

  std::string label() { return "L" + std::to_string(labels_++); }

  void choice(unsigned depth) {
    const std::string other = label();
    const std::string behind = label();
    line("@" + predicate() + " bra " + other);
    statements(1 + pick(4), depth + 1);
    const bool has_other = pick(2) == 0;
    if (has_other) line("bra " + behind);
    text_ += other + ":\n";
    if (has_other) {
      statements(1 + pick(4), depth + 1);
      text_ += behind + ":\n";
    }
  }

  /// Leaves an enclosing loop, not always the innermost one, or goes on to its next round.
  void leave() {
    const size_t at =
        leaves_.size() - 1 - (pick(4) == 0 ? pick(static_cast<unsigned>(leaves_.size())) : 0);
    line("@" + predicate() + " bra " + (pick(3) == 0 ? leaves_[at].next : leaves_[at].behind));
  }

  void loop(unsigned depth) {
    const std::string number = std::to_string(depth);
    const std::string count = "%count" + number;
    const std::string again = label();
    line("and.b32 " + count + ", " + word() + ", 3");
    leaves_.push_back({label(), label()});
    text_ += again + ":\n";
    statements(1 + pick(5), depth + 1);
    text_ += leaves_.back().next + ":\n";
    line("sub.s32 " + count + ", " + count + ", 1");
    line("setp.ge.s32 %loop" + number + ", " + count + ", 0");
    line("@%loop" + number + " bra " + again);
    text_ += leaves_.back().behind + ":\n";
    leaves_.pop_back();
  }

  void add_up() {
    line("mov.u32 %v, 0");
    const auto add = [this](const std::string& from) {
      line("mul.lo.u32 %v, %v, 31");
      line("add.u32 %v, %v, " + from);
    };
    for (unsigned i = 0; i < count_.words; ++i) add(name("r", i));
    for (unsigned i = 0; i < count_.wides; ++i) {
      line("mov.b64 {%count0, %count1}, " + name("d", i));
      add("%count0");
      add("%count1");
    }
    for (unsigned i = 0; i < count_.floats; ++i) {
      line("mov.b32 %count0, " + name("f", i));
      add("%count0");
    }
    for (unsigned i = 0; i < count_.predicates; ++i) {
      line("selp.u32 %count0, 1, 0, " + name("p", i));
      add("%count0");
    }
  }

  std::mt19937 random_;
  const bool shuffles_;
  const RandomRegisters count_;
  std::string text_;
  unsigned labels_ = 0;
  /// The labels of an enclosing loop.
  struct Leave {
    std::string next;    ///< before its condition
    std::string behind;  ///< after its condition
  };
  std::vector<Leave> leaves_;
};

}  // namespace

std::string random_ptx(uint32_t seed, bool shuffles, const RandomRegisters& count) {
  return RandomPtx(seed, shuffles, count).text();
}

}  // namespace shflsim::isa
