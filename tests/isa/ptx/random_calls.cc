// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/ptx/random_calls.h"

#include <array>
#include <random>

namespace shflsim::isa {
namespace {

constexpr unsigned kFunctions = 4;  // also the size of the table of pointers
constexpr unsigned kWords = 5;
constexpr unsigned kElements = 4;  // in an array on the stack

std::string word(unsigned number) { return "%r" + std::to_string(number); }

}  // namespace

/// A step of a function's body; the kind says what a, b and c are.
struct RandomCalls::Step {
  enum class Kind {
    kAdd,
    kXor,
    kMultiply,
    kWide,
    kChoice,
    kStore,
    kLoad,
    kCall,
    kPointer,
    kReturn
  };
  Kind kind = Kind::kAdd;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  Steps then;
};

struct RandomCalls::State {
  std::array<uint32_t, kWords> words{};
  std::array<uint32_t, kElements> array{};
  uint64_t wide = 0;
  uint32_t depth = 0;
  bool returned = false;
};

class RandomCalls::Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  /// At most two calls per function, so that they come to an end.
  Steps function() {
    calls_ = 0;
    return steps(6 + pick(8), 0);
  }

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }

  Steps steps(unsigned count, unsigned depth) {
    Steps made;
    for (unsigned i = 0; i < count; ++i) made.push_back(step(depth));
    return made;
  }

  Step step(unsigned depth) {
    using Kind = Step::Kind;
    static constexpr Kind kKinds[] = {Kind::kAdd,   Kind::kXor,  Kind::kMultiply, Kind::kWide,
                                      Kind::kStore, Kind::kLoad, Kind::kChoice,   Kind::kChoice,
                                      Kind::kCall,  Kind::kCall, Kind::kPointer,  Kind::kPointer,
                                      Kind::kReturn};
    Step made;
    made.kind = kKinds[pick(sizeof kKinds / sizeof kKinds[0])];
    made.a = pick(kWords);
    made.b = pick(kWords);
    made.c = pick(kWords);
    const bool is_call = made.kind == Kind::kCall || made.kind == Kind::kPointer;
    const bool is_nested = made.kind == Kind::kChoice || made.kind == Kind::kReturn;
    if ((is_nested && depth > 1) || (is_call && ++calls_ > 2)) made.kind = Kind::kAdd;
    if (made.kind == Kind::kReturn && depth == 0) made.kind = Kind::kXor;
    if (made.kind == Kind::kCall) made.c = pick(kFunctions);
    if (made.kind == Kind::kChoice) made.then = steps(1 + pick(4), depth + 1);
    return made;
  }

  std::mt19937 random_;
  unsigned calls_ = 0;
};

RandomCalls::RandomCalls(uint32_t seed) {
  Maker maker(seed);
  for (unsigned i = 0; i < kFunctions; ++i) functions_.push_back(maker.function());
}

RandomCalls::~RandomCalls() = default;

void RandomCalls::run(const Steps& steps, State* state) const {
  for (const Step& step : steps) {
    if (state->returned) return;
    uint32_t& a = state->words[step.a];
    const uint32_t b = state->words[step.b];
    const uint32_t c = step.c < kWords ? state->words[step.c] : 0;
    switch (step.kind) {
      case Step::Kind::kAdd: a = b + c; break;
      case Step::Kind::kXor: a = b ^ (c >> 3); break;
      case Step::Kind::kMultiply: a = b * c + 1; break;
      case Step::Kind::kWide:
        state->wide = state->wide * 3 + a;
        a = static_cast<uint32_t>(state->wide >> 16);
        break;
      case Step::Kind::kStore: state->array[b % kElements] = a; break;
      case Step::Kind::kLoad: a = state->array[b % kElements]; break;
      case Step::Kind::kChoice:
        if ((b & (1u << step.c)) != 0) run(step.then, state);
        break;
      case Step::Kind::kReturn: state->returned = true; break;
      case Step::Kind::kCall:
      case Step::Kind::kPointer: {
        if (state->depth == 0) break;
        const size_t callee = step.kind == Step::Kind::kCall ? step.c : (b >> 4) % kFunctions;
        a ^= value(callee, b, state->depth - 1, state->wide + a);
        break;
      }
    }
  }
}

uint32_t RandomCalls::value(size_t function, uint32_t word, uint32_t depth, uint64_t wide) const {
  State state;
  for (unsigned i = 0; i < kWords; ++i) state.words[i] = word * (2 * i + 1);
  for (unsigned i = 0; i < kElements; ++i) state.array[i] = word + i;
  state.depth = depth;
  state.wide = wide;
  run(functions_[function], &state);
  uint32_t sum = static_cast<uint32_t>(state.wide);
  for (const uint32_t each : state.words) sum = sum * 31 + each;
  return sum;
}

uint32_t RandomCalls::expected(uint32_t word, uint32_t thread) const {
  return value(0, word, 3, thread);
}

std::string RandomCalls::lines_of_call(const Step& step, const std::string& label) {
  const std::string a = word(step.a);
  const std::string b = word(step.b);
  std::string text =
      "setp.eq.u32 %p, %depth, 0;\n@%p bra " + label +
      ";\nsub.u32 %t, %depth, 1;\ncvt.u64.u32 %at, " + a +
      ";\nadd.s64 %at, %at, %d;\n{\n.param .b32 p0;\n.param .b32 p1;\n.param .b64 p2;\n"
      ".param .b32 result;\n.reg .b64 %f;\n.reg .b32 %given;\nst.param.b32 [p0+0], " +
      b + ";\nst.param.b32 [p1+0], %t;\nst.param.b64 [p2+0], %at;\n";
  if (step.kind == Step::Kind::kCall) {
    text += "call.uni (result), f" + std::to_string(step.c) + ", (p0, p1, p2);\n";
  } else {
    text += "shr.u32 %t, " + b +
            ", 4;\nand.b32 %t, %t, 3;\nmul.wide.u32 %f, %t, 8;\nmov.u64 %at, table;\n"
            "add.s64 %f, %f, %at;\nld.global.u64 %f, [%f];\n"
            "proto : .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _, "
            ".param .b64 _);\ncall (result), %f, (p0, p1, p2), proto;\n";
  }
  return text + "ld.param.b32 %given, [result+0];\nxor.b32 " + a + ", " + a + ", %given;\n}\n" +
         label + ":\n";
}

std::string RandomCalls::lines_of_step(const Step& step, unsigned* labels) {
  const std::string a = word(step.a);
  const std::string b = word(step.b);
  const std::string c = word(step.c);
  const std::string place =
      "and.b32 %t, " + b + ", 3;\nmul.wide.u32 %at, %t, 4;\nadd.s64 %at, %at, %buffer;\n";
  const std::string label = "L" + std::to_string((*labels)++);
  switch (step.kind) {
    case Step::Kind::kAdd: return "add.u32 " + a + ", " + b + ", " + c + ";\n";
    case Step::Kind::kXor: return "shr.u32 %t, " + c + ", 3;\nxor.b32 " + a + ", " + b + ", %t;\n";
    case Step::Kind::kMultiply: return "mad.lo.u32 " + a + ", " + b + ", " + c + ", 1;\n";
    case Step::Kind::kWide:
      return "cvt.u64.u32 %at, " + a +
             ";\nmad.lo.u64 %d, %d, 3, %at;\nshr.u64 %at, %d, 16;\ncvt.u32.u64 " + a + ", %at;\n";
    case Step::Kind::kStore: return place + "st.local.u32 [%at], " + a + ";\n";
    case Step::Kind::kLoad: return place + "ld.local.u32 " + a + ", [%at];\n";
    case Step::Kind::kChoice:
      return "and.b32 %t, " + b + ", " + std::to_string(1u << step.c) +
             ";\nsetp.eq.u32 %p, %t, 0;\n@%p bra " + label + ";\n" + lines_of(step.then, labels) +
             label + ":\n";
    case Step::Kind::kReturn: return "bra.uni end;\n";
    default: return lines_of_call(step, label);
  }
}

std::string RandomCalls::lines_of(const Steps& steps, unsigned* labels) {
  std::string text;
  for (const Step& step : steps) text += lines_of_step(step, labels);
  return text;
}

std::string RandomCalls::text() const {
  std::string text = ".version 8.0\n.target sm_50\n.address_size 64\n";
  const auto head = [](size_t i) {
    return ".func (.param .b32 result) f" + std::to_string(i) +
           "(.param .b32 word, .param .b32 depth, .param .b64 wide)";
  };
  for (size_t i = 0; i < functions_.size(); ++i) text += head(i) + ";\n";
  text += ".global .align 8 .u64 table[4] = {f0, f1, f2, f3};\n";
  for (size_t i = 0; i < functions_.size(); ++i) {
    unsigned labels = 0;
    text += head(i) +
            "\n{\n.local .align 16 .b8 buffer[16];\n.reg .b32 %r<5>;\n.reg .b32 %t, %depth;\n"
            ".reg .b64 %d, %at, %buffer;\n.reg .pred %p;\nmov.u64 %buffer, buffer;\n"
            "ld.param.u32 %r0, [word];\nld.param.u32 %depth, [depth];\nld.param.u64 %d, [wide];\n";
    for (unsigned k = 0; k < kElements; ++k) {
      text += "add.u32 %t, %r0, " + std::to_string(k) + ";\nst.local.u32 [%buffer+" +
              std::to_string(4 * k) + "], %t;\n";
    }
    for (unsigned k = 1; k < kWords; ++k) {
      text += "mul.lo.u32 " + word(k) + ", %r0, " + std::to_string(2 * k + 1) + ";\n";
    }
    text += lines_of(functions_[i], &labels) + "end:\ncvt.u32.u64 %t, %d;\n";
    for (unsigned k = 0; k < kWords; ++k) text += "mad.lo.u32 %t, %t, 31, " + word(k) + ";\n";
    text += "st.param.b32 [result+0], %t;\nret;\n}\n";
  }
  return text +
         ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n.reg .b32 %r<4>;\n"
         ".reg .b64 %d<5>;\nld.param.u64 %d1, [in];\nld.param.u64 %d2, [out];\n"
         "mov.u32 %r1, %tid.x;\nmul.wide.u32 %d3, %r1, 4;\nadd.s64 %d1, %d1, %d3;\n"
         "add.s64 %d2, %d2, %d3;\nld.global.u32 %r2, [%d1];\ncvt.u64.u32 %d4, %r1;\n{\n"
         ".param .b32 p0;\n.param .b32 p1;\n.param .b64 p2;\n.param .b32 result;\n"
         "st.param.b32 [p0+0], %r2;\nst.param.b32 [p1+0], 3;\nst.param.b64 [p2+0], %d4;\n"
         "call.uni (result), f0, (p0, p1, p2);\nld.param.b32 %r3, [result+0];\n}\n"
         "st.global.u32 [%d2], %r3;\nret;\n}\n";
}

}  // namespace shflsim::isa
