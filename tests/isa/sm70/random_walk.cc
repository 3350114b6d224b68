// SPDX-License-Identifier: Apache-2.0
// Random programs as lines of assembly, and the second interpreter.
#include <fmt/format.h>

#include "tests/isa/sm70/random_program.h"

namespace shflsim::isa {
namespace {

// --- as text ------------------------------------------------------------------------------------

class Text {
 public:
  std::vector<std::string> of(const std::vector<Node>& program) {
    for (unsigned u = 0; u < kUniformData; ++u)
      lines_.push_back(fmt::format("UMOV UR{}, 0x{:x}", kFirstUniformData + u, 0x1234 * (u + 1)));
    add(program, 0);
    return lines_;
  }

 private:
  void add(const std::vector<Node>& nodes, unsigned depth) {
    for (const Node& node : nodes) {
      if (node.kind == Node::Kind::kOperation) {
        lines_.push_back(node.text);
      } else {
        add_block(node, depth);
      }
    }
  }

  /// Adds one side, the common operation, and the side's use of the result.
  void add_side(const Node& node, const std::vector<Node>& side, const std::vector<Node>& behind,
                unsigned depth) {
    const unsigned n = labels_++;
    add(side, depth + 1);
    lines_.push_back(fmt::format("WARPSYNC.COLLECTIVE R{}, piece{}", kMaskOfSides + depth, n));
    add(node.together, depth);
    lines_.emplace_back("ENDCOLLECTIVE");
    lines_.push_back(fmt::format("piece{}:", n));
    add(behind, depth);
  }

  /// The operation's membermask names the lanes that arrive here.
  void add_sides(const Node& node, unsigned depth) {
    const unsigned n = labels_++;
    lines_.push_back(fmt::format("VOTE.ANY R{}, PT, PT", kMaskOfSides + depth));
    lines_.push_back(fmt::format("BSSY B{}, end{}", depth, n));
    lines_.push_back(fmt::format("@!P{} BRA other{}", node.predicate, n));
    add_side(node, node.body, node.behind, depth);
    lines_.push_back(fmt::format("BRA sync{}", n));
    lines_.push_back(fmt::format("other{}:", n));
    add_side(node, node.other, node.behind_other, depth);
    lines_.push_back(fmt::format("sync{}:", n));
    lines_.push_back(fmt::format("BSYNC B{}", depth));
    lines_.push_back(fmt::format("end{}:", n));
  }

  void add_block(const Node& node, unsigned depth) {
    if (node.kind == Node::Kind::kSides) return add_sides(node, depth);
    const unsigned n = labels_++;
    lines_.push_back(fmt::format("BSSY B{}, end{}", depth, n));
    if (node.kind == Node::Kind::kIf) {
      lines_.push_back(fmt::format("@!P{} BRA sync{}", node.predicate, n));
      add(node.body, depth + 1);
    } else {
      lines_.emplace_back("S2R R20, SR_LANEID");
      lines_.push_back(fmt::format("LOP3.LUT R{}, R20, 0x3, RZ, 0xc0, !PT", node.counter));
      lines_.push_back(fmt::format("loop{}:", n));
      add(node.body, depth + 1);
      lines_.push_back(fmt::format("ISETP.NE.AND P3, PT, R{}, RZ, PT", node.counter));
      lines_.push_back(fmt::format("IADD3 R{}, R{}, -0x1, RZ", node.counter, node.counter));
      lines_.push_back(fmt::format("@P3 BRA loop{}", n));
    }
    lines_.push_back(fmt::format("sync{}:", n));
    lines_.push_back(fmt::format("BSYNC B{}", depth));
    lines_.push_back(fmt::format("end{}:", n));
  }

  std::vector<std::string> lines_;
  unsigned labels_ = 0;
};

// --- the second interpreter ---------------------------------------------------------------------

void interpret(const std::vector<Node>& nodes, LaneMask lanes, State* state);

LaneMask where_true(const State& state, unsigned predicate) {
  LaneMask lanes = 0;
  for (unsigned lane = 0; lane < 32; ++lane) lanes |= (state.p[predicate][lane] ? 1u : 0u) << lane;
  return lanes;
}

void interpret_sides(const Node& node, LaneMask lanes, State* state) {
  const LaneMask one = lanes & where_true(*state, node.predicate);
  interpret(node.body, one, state);
  interpret(node.other, lanes & ~one, state);
  interpret(node.together, lanes, state);
  interpret(node.behind, one, state);
  interpret(node.behind_other, lanes & ~one, state);
}

void interpret(const std::vector<Node>& nodes, LaneMask lanes, State* state) {
  for (const Node& node : nodes) {
    if (node.kind == Node::Kind::kOperation) {
      node.apply(*state, lanes);
      continue;
    }
    if (node.kind == Node::Kind::kSides) {
      interpret_sides(node, lanes, state);
      continue;
    }
    const bool is_if = node.kind == Node::Kind::kIf;
    LaneMask inside = is_if ? lanes & where_true(*state, node.predicate) : lanes;
    const unsigned rounds = is_if ? 1 : 4;
    for (unsigned round = 0; round < rounds && inside != 0; ++round) {
      interpret(node.body, inside, state);
      for (unsigned lane = 0; lane < 32; ++lane) {
        if ((lane & 3) == round) inside &= ~(1u << lane);
      }
    }
  }
}

State state_of(uint32_t seed) {
  State state;
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = kFirstData; i < kFirstData + kData; ++i)
      state.r[i][lane] = first_value(seed, i, lane);
  }
  for (unsigned u = 0; u < kUniformData; ++u) state.u[kFirstUniformData + u] = 0x1234 * (u + 1);
  return state;
}

}  // namespace

std::vector<std::string> lines_of(const std::vector<Node>& program) { return Text().of(program); }

State interpreted(const std::vector<Node>& program, uint32_t seed) {
  State state = state_of(seed);
  interpret(program, kAllLanes, &state);
  return state;
}

}  // namespace shflsim::isa
