// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_program.h"

#include <random>

namespace shflsim::test {
namespace {

// R0 lane, R1 thread, R2 address of its shared word, R3..R9 values, R10.. loop counters.
class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  std::string program() {
    line("S2R R0, SR_LANEID");
    line("S2R R1, SR_TID.X");
    line("SHL R2, R1, 0x2");
    for (unsigned r = 3; r < 10; ++r) line("XMAD " + reg(r) + ", R1, " + hex(upto(0x7FF)) + ", R0");
    for (unsigned part = 0; part <= upto(3); ++part) {
      statements(0);
      if (upto(2) == 0) line("BAR.SYNC 0x0");
    }
    line("EXIT");
    return text_;
  }

 private:
  uint32_t upto(uint32_t most) { return static_cast<uint32_t>(random_() % (most + 1)); }
  static std::string reg(unsigned index) { return "R" + std::to_string(index); }
  std::string value() { return reg(3 + upto(6)); }
  static std::string hex(uint32_t number) {
    static const char* const digits = "0123456789abcdef";
    std::string text;
    for (; text.empty() || number != 0; number >>= 4) text.insert(0, 1, digits[number & 15u]);
    return "0x" + text;
  }
  std::string label() { return "L" + std::to_string(labels_++); }
  void line(const std::string& text) { text_ += "     " + text + "\n"; }
  void place(const std::string& name) { text_ += name + ":\n"; }

  void statements(unsigned depth) {
    const unsigned count = 1 + upto(4);
    for (unsigned i = 0; i < count; ++i) statement(depth);
  }

  void statement(unsigned depth) {
    const unsigned kind = upto(depth < 2 ? 9 : 6);
    const std::string guard = upto(3) == 0 ? guarded() : "";
    if (kind <= 2) return line(guard + "IADD " + value() + ", " + value() + ", " + value());
    if (kind <= 4) return shuffle(guard);
    if (kind == 5) return line(guard + "STS [R2+" + hex(4 * upto(15)) + "], " + value());
    if (kind == 6) return line(guard + "LDS " + value() + ", [R2+" + hex(4 * upto(15)) + "]");
    if (kind == 7) return loop(depth);
    if (kind == 8) return divergent_loop(depth);
    branch(depth);
  }

  std::string guarded() {
    line("ISETP.LT.AND P0, PT, " + value() + ", " + value() + ", PT");
    return upto(1) == 0 ? "@P0 " : "@!P0 ";
  }

  void shuffle(const std::string& guard) {
    static const char* const modes[] = {"IDX", "UP", "DOWN", "BFLY"};
    const std::string index = upto(1) == 0 ? hex(upto(31)) : value();
    const std::string clamp = upto(2) == 0 ? value() : hex(upto(0x1FFF));
    line(guard + "SHFL." + modes[upto(3)] + " P1, " + value() + ", " + value() + ", " + index +
         ", " + clamp);
  }

  /// A loop with the same number of iterations for all lanes.
  void loop(unsigned depth) {
    const std::string counter = reg(10 + depth);
    const std::string top = label();
    line("MOV32I " + counter + ", " + hex(1 + upto(5)));
    place(top);
    statements(depth + 1);
    line("IADD32I " + counter + ", " + counter + ", -0x1");
    line("ISETP.GT.AND P2, PT, " + counter + ", 0x0, PT");
    line("@P2 BRA " + top);
  }

  /// A loop in which each lane has its own number of iterations.
  void divergent_loop(unsigned depth) {
    const std::string counter = reg(10 + depth);
    const std::string top = label();
    const std::string end = label();
    line("LOP32I.AND " + counter + ", R0, " + hex(upto(7)));
    line("SSY " + end);
    place(top);
    statements(depth + 1);
    line("IADD32I " + counter + ", " + counter + ", -0x1");
    line("ISETP.GT.AND P2, PT, " + counter + ", 0x0, PT");
    line("@P2 BRA " + top);
    line("SYNC");
    place(end);
  }

  void branch(unsigned depth) {
    const std::string taken = label();
    const std::string end = label();
    line("ISETP.LT.AND P3, PT, R0, " + hex(upto(32)) + ", PT");
    line("SSY " + end);
    line("@P3 BRA " + taken);
    statements(depth + 1);
    line("SYNC");
    place(taken);
    statements(depth + 1);
    line("SYNC");
    place(end);
  }

  std::mt19937 random_;
  std::string text_;
  unsigned labels_ = 0;
};

}  // namespace

std::string random_program(uint32_t seed) { return Generator(seed).program(); }

}  // namespace shflsim::test
