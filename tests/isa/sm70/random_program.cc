// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/sm70/random_program.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <random>

namespace shflsim::isa {
namespace {

bool has(LaneMask lanes, unsigned lane) { return (lanes >> lane & 1u) != 0; }

Node operation(std::string text, std::function<void(State&, LaneMask)> apply) {
  Node node;
  node.text = std::move(text);
  node.apply = std::move(apply);
  return node;
}

/// Sets d to f(lane) in the lanes; all values are computed before the first is written.
template <class F>
std::function<void(State&, LaneMask)> to_register(unsigned d, F f) {
  return [d, f](State& state, LaneMask lanes) {
    uint32_t values[32];
    for (unsigned lane = 0; lane < 32; ++lane) values[lane] = f(state, lanes, lane);
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (has(lanes, lane)) state.r[d][lane] = values[lane];
    }
  };
}

float float_of(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
uint32_t register_of(float value) {
  if (std::isnan(value)) return 0x7FFFFFFF;
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

class Generator {
 public:
  Generator(uint32_t seed, Arch arch) : random_(seed), has_sides_(arch >= Arch::kSm90) {}

  std::vector<Node> body(unsigned length, unsigned depth) {
    std::vector<Node> nodes;
    for (unsigned i = 0; i < length; ++i) {
      const unsigned choice = pick(12);
      if (choice == 0 && depth < 3) {
        nodes.push_back(branch(depth));
      } else if (choice == 1 && depth < 2) {
        nodes.push_back(loop(depth));
      } else if (choice == 2 && depth == 0 && has_sides_) {
        nodes.push_back(sides(depth));
      } else {
        nodes.push_back(an_operation());
      }
    }
    return nodes;
  }

 private:
  unsigned pick(unsigned most) { return static_cast<unsigned>(random_() % most); }
  unsigned data() { return kFirstData + pick(kData); }

  Node branch(unsigned depth) {
    Node node;
    node.kind = Node::Kind::kIf;
    node.predicate = pick(3);
    node.body = body(2 + pick(5), depth + 1);
    return node;
  }

  Node loop(unsigned depth) {
    Node node;
    node.kind = Node::Kind::kLoop;
    node.counter = kCounters + depth;
    node.body = body(2 + pick(4), depth + 1);
    return node;
  }

  /// Two sides of a branch whose lanes reach one common operation from two places, then reconverge.
  Node sides(unsigned depth) {
    Node node;
    node.kind = Node::Kind::kSides;
    node.predicate = pick(3);
    ++in_sides_;
    node.body = side(depth);
    node.other = side(depth);
    --in_sides_;
    node.together = together();
    node.behind = {copy(data(), kResultOfSides)};
    node.behind_other = {copy(data(), kResultOfSides)};
    return node;
  }

  /// A side that ends with the common operation's operands.
  std::vector<Node> side(unsigned depth) {
    std::vector<Node> nodes = body(1 + pick(3), depth + 1);
    nodes.push_back(copy(kSourceOfSides, data()));
    const unsigned n = pick(32);
    nodes.push_back(
        operation(fmt::format("MOV R{}, 0x{:x}", kLaneOfSides, n),
                  to_register(kLaneOfSides, [=](const State&, LaneMask, unsigned) { return n; })));
    return nodes;
  }

  Node copy(unsigned d, unsigned a) {
    return operation(
        fmt::format("MOV R{}, R{}", d, a),
        to_register(d, [=](const State& s, LaneMask, unsigned lane) { return s.r[a][lane]; }));
  }

  std::vector<Node> together() {
    const unsigned d = kResultOfSides, a = kSourceOfSides;
    switch (pick(4)) {
      case 0: return {ballot(d, pick(3))};
      case 1: return {match(d, a)};
      case 2: return sum_of_lanes(d, a);
      default:
        return {shuffle(d, a, fmt::format("R{}", kLaneOfSides),
                        [](const State& s, unsigned lane) { return s.r[kLaneOfSides][lane]; })};
    }
  }

  static std::vector<Node> sum_of_lanes(unsigned d, unsigned a) {
    const auto sum = [=](const State& s, LaneMask lanes, unsigned) {
      uint32_t all = 0;
      for (unsigned i = 0; i < 32; ++i) all += has(lanes, i) ? s.r[a][i] : 0;
      return all;
    };
    return {operation(fmt::format("REDUX.SUM UR{}, R{}", kSumOfSides, a), [](State&, LaneMask) {}),
            operation(fmt::format("MOV R{}, UR{}", d, kSumOfSides), to_register(d, sum))};
  }

  Node an_operation() {
    switch (pick(11)) {
      case 0:
      case 1: return sum();
      case 2: return product();
      case 3: return logic();
      case 4: return shift();
      case 5: return comparison();
      case 6: return selection();
      case 7: return single();
      case 8: return in_sides_ == 0 ? uniform() : sum();  // which side is first does not matter
      case 9: return shuffle();
      default: return vote();
    }
  }

  Node sum() {
    const unsigned d = data(), a = data(), b = data();
    if (pick(2) == 0) {
      const unsigned u = kFirstUniformData + pick(kUniformData);
      return operation(fmt::format("IADD3 R{}, R{}, UR{}, R{}", d, a, u, b),
                       to_register(d, [=](const State& s, LaneMask, unsigned lane) {
                         return s.r[a][lane] + s.u[u] + s.r[b][lane];
                       }));
    }
    const auto c = static_cast<uint32_t>(random_());
    return operation(fmt::format("IADD3 R{}, R{}, 0x{:x}, -R{}", d, a, c & 0x7FFFFFFF, b),
                     to_register(d, [=](const State& s, LaneMask, unsigned lane) {
                       return s.r[a][lane] + (c & 0x7FFFFFFF) - s.r[b][lane];
                     }));
  }

  Node product() {
    const unsigned d = data(), a = data(), b = data(), c = data();
    return operation(fmt::format("IMAD R{}, R{}, R{}, R{}", d, a, b, c),
                     to_register(d, [=](const State& s, LaneMask, unsigned lane) {
                       return s.r[a][lane] * s.r[b][lane] + s.r[c][lane];
                     }));
  }

  Node logic() {
    const unsigned d = data(), a = data(), b = data(), c = data(), lut = pick(256);
    return operation(fmt::format("LOP3.LUT R{}, R{}, R{}, R{}, 0x{:x}, !PT", d, a, b, c, lut),
                     to_register(d, [=](const State& s, LaneMask, unsigned lane) {
                       uint32_t out = 0;
                       for (unsigned bit = 0; bit < 32; ++bit) {
                         const unsigned row = (s.r[a][lane] >> bit & 1u) * 4 +
                                              (s.r[b][lane] >> bit & 1u) * 2 +
                                              (s.r[c][lane] >> bit & 1u);
                         out |= (lut >> row & 1u) << bit;
                       }
                       return out;
                     }));
  }

  Node shift() {
    const unsigned d = data(), a = data(), n = pick(32);
    if (pick(2) == 0) {
      return operation(fmt::format("SHF.R.U32.HI R{}, RZ, 0x{:x}, R{}", d, n, a),
                       to_register(d, [=](const State& s, LaneMask, unsigned lane) {
                         return s.r[a][lane] >> n;
                       }));
    }
    return operation(
        fmt::format("SHF.L.U32 R{}, R{}, 0x{:x}, RZ", d, a, n),
        to_register(d, [=](const State& s, LaneMask, unsigned lane) { return s.r[a][lane] << n; }));
  }

  Node comparison() {
    const unsigned p = pick(3), a = data(), b = data();
    const bool is_signed = pick(2) == 0;
    return operation(
        fmt::format("ISETP.LT{}.AND P{}, PT, R{}, R{}, PT", is_signed ? "" : ".U32", p, a, b),
        [=](State& s, LaneMask lanes) {
          for (unsigned lane = 0; lane < 32; ++lane) {
            const uint32_t x = s.r[a][lane], y = s.r[b][lane];
            const bool less = is_signed ? static_cast<int32_t>(x) < static_cast<int32_t>(y) : x < y;
            if (has(lanes, lane)) s.p[p][lane] = less;
          }
        });
  }

  Node selection() {
    const unsigned d = data(), a = data(), b = data(), p = pick(3);
    return operation(fmt::format("SEL R{}, R{}, R{}, P{}", d, a, b, p),
                     to_register(d, [=](const State& s, LaneMask, unsigned lane) {
                       return s.p[p][lane] ? s.r[a][lane] : s.r[b][lane];
                     }));
  }

  Node single() {
    const unsigned d = data(), a = data(), b = data(), c = data();
    if (pick(2) == 0) {
      return operation(fmt::format("FADD R{}, R{}, -R{}", d, a, b),
                       to_register(d, [=](const State& s, LaneMask, unsigned lane) {
                         return register_of(float_of(s.r[a][lane]) - float_of(s.r[b][lane]));
                       }));
    }
    return operation(fmt::format("FFMA R{}, R{}, R{}, R{}", d, a, b, c),
                     to_register(d, [=](const State& s, LaneMask, unsigned lane) {
                       return register_of(std::fma(float_of(s.r[a][lane]), float_of(s.r[b][lane]),
                                                   float_of(s.r[c][lane])));
                     }));
  }

  Node uniform() {
    const unsigned d = kFirstUniformData + pick(kUniformData),
                   a = kFirstUniformData + pick(kUniformData);
    const auto c = static_cast<uint32_t>(random_()) & 0xFFFF;
    if (pick(2) == 0) {
      return operation(fmt::format("UIADD3 UR{}, UR{}, 0x{:x}, URZ", d, a, c),
                       [=](State& s, LaneMask) { s.u[d] = s.u[a] + c; });
    }
    return operation(fmt::format("UIMAD UR{}, UR{}, 0x{:x}, UR{}", d, a, c, a),
                     [=](State& s, LaneMask) { s.u[d] = s.u[a] * c + s.u[a]; });
  }

  Node shuffle() {
    const unsigned d = data(), a = data(), n = pick(32);
    return shuffle(d, a, fmt::format("0x{:x}", n), [n](const State&, unsigned) { return n; });
  }

  /// A source lane that does not execute gives 0; a lane beyond the end gives the own value.
  template <class Number>
  Node shuffle(unsigned d, unsigned a, const std::string& b, Number number) {
    static const char* const kModes[] = {"IDX", "UP", "DOWN", "BFLY"};
    const unsigned mode = pick(4), p = pick(3);
    const std::string text = fmt::format("SHFL.{} P{}, R{}, R{}, {}, 0x{:x}", kModes[mode], p, d, a,
                                         b, mode == 1 ? 0 : 0x1f);
    return operation(text, [=](State& s, LaneMask lanes) {
      uint32_t values[32];
      bool in_range[32];
      for (unsigned lane = 0; lane < 32; ++lane) {
        const auto n = static_cast<int>(number(s, lane)), own = static_cast<int>(lane);
        const int from = mode == 0 ? n : mode == 1 ? own - n : mode == 2 ? own + n : own ^ n;
        in_range[lane] = from >= 0 && from < 32;
        const unsigned source = in_range[lane] ? static_cast<unsigned>(from) : lane;
        values[lane] = has(lanes, source) ? s.r[a][source] : 0;
      }
      for (unsigned lane = 0; lane < 32; ++lane) {
        if (!has(lanes, lane)) continue;
        s.r[d][lane] = values[lane];
        s.p[p][lane] = in_range[lane];
      }
    });
  }

  Node vote() {
    const unsigned d = data(), a = data(), p = pick(3);
    return pick(2) == 0 ? ballot(d, p) : match(d, a);
  }

  static Node ballot(unsigned d, unsigned p) {
    return operation(fmt::format("VOTE.ANY R{}, PT, P{}", d, p),
                     to_register(d, [=](const State& s, LaneMask lanes, unsigned) {
                       uint32_t ballot = 0;
                       for (unsigned i = 0; i < 32; ++i)
                         ballot |= (has(lanes, i) && s.p[p][i] ? 1u : 0u) << i;
                       return ballot;
                     }));
  }

  static Node match(unsigned d, unsigned a) {
    return operation(fmt::format("MATCH.ANY R{}, R{}", d, a),
                     to_register(d, [=](const State& s, LaneMask lanes, unsigned lane) {
                       uint32_t same = 0;
                       for (unsigned i = 0; i < 32; ++i)
                         same |= (has(lanes, i) && s.r[a][i] == s.r[a][lane] ? 1u : 0u) << i;
                       return same;
                     }));
  }

  std::mt19937 random_;
  bool has_sides_;
  unsigned in_sides_ = 0;
};

}  // namespace

std::vector<Node> random_tree(uint32_t seed, Arch arch) {
  return Generator(seed, arch).body(24, 0);
}

uint32_t first_value(uint32_t seed, unsigned index, unsigned lane) {
  const uint32_t word = (seed * 32 + index) * 0x9E3779B9u + lane * 0x85EBCA6Bu;
  return index % 2 == 0 ? word ^ word >> 15 : 0x3F800000u + (word >> 8 & 0xFFFFFu);
}

}  // namespace shflsim::isa
