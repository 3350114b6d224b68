// SPDX-License-Identifier: Apache-2.0
#include "rtl/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace shflsim::rtl {
namespace {

/// The bits of a vector, which are written in hexadecimal from the highest digit on.
class Bits {
 public:
  explicit Bits(size_t size) : bits_(size) {}
  void set(size_t first, unsigned count, uint64_t value) {
    for (unsigned bit = 0; bit < count; ++bit) bits_[first + bit] = ((value >> bit) & 1u) != 0;
  }
  std::string literal() const {
    std::string digits;
    for (size_t digit = (bits_.size() + 3) / 4; digit-- > 0;) {
      unsigned value = 0;
      for (size_t bit = 4 * digit; bit < std::min(4 * digit + 4, bits_.size()); ++bit) {
        value |= static_cast<unsigned>(bits_[bit]) << (bit % 4);
      }
      digits += "0123456789abcdef"[value];
    }
    return fmt::format("{}'h{}", bits_.size(), digits);
  }

 private:
  std::vector<bool> bits_;
};

constexpr unsigned kSourceBits = 8;  // bits of a lane's source in a bench

std::string selects_literal(const Module& shuffle, const std::vector<uint8_t>& selects) {
  const std::vector<ControlField> fields = control_fields(shuffle.wiring);
  Bits bits(control_bits(shuffle.wiring));
  for (size_t group = 0; group < fields.size(); ++group) {
    bits.set(fields[group].first, fields[group].bits, selects[group]);
  }
  return bits.literal();
}

std::string words_literal(size_t lanes, unsigned width, std::mt19937* random) {
  Bits bits(lanes * width);
  for (size_t bit = 0; bit < lanes * width; ++bit) bits.set(bit, 1, (*random)() >> 16u);
  return bits.literal();
}

std::string sources_literal(size_t lanes, const isa::LaneMove& move) {
  Bits bits(lanes * kSourceBits);
  for (size_t lane = 0; lane < lanes; ++lane) {
    bits.set(lane * kSourceBits, kSourceBits, move.source[0][lane].lane);
  }
  return bits.literal();
}

std::string mask_literal(size_t lanes, isa::WideMask mask) {
  Bits bits(lanes);
  bits.set(0, static_cast<unsigned>(lanes), mask);
  return bits.literal();
}

/// The text before the recorded maps; {0} is the module's name, the others are its sizes.
constexpr const char* kHead = R"(
`timescale 1ns / 1ps
module {0}_bench;
  reg clk = 0;
  reg [{1}:0] in;
  reg [{2}:0] ctl;
  reg [{3}:0] we;
  wire [{1}:0] out;
  integer lane, wrong = 0, checked = 0;
  {0} dut (.clk(clk), .in(in), .ctl(ctl), .we(we), .out(out));

  task step(input [{2}:0] selects, input [{3}:0] enables);
    begin
      ctl = selects;
      we = enables;
      #1 clk = 1;
      #1 clk = 0;
    end
  endtask

  task check(input [{4}:0] sources, input [{3}:0] lanes);
    for (lane = 0; lane <= {3}; lane = lane + 1)
      if (lanes[lane]) begin
        checked = checked + 1;
        if (out[lane * {5} +: {5}] !== in[sources[lane * 8 +: 8] * {5} +: {5}]) begin
          wrong = wrong + 1;
          $display("lane %0d has %h, expected lane %0d's %h", lane, out[lane * {5} +: {5}],
                   sources[lane * 8 +: 8], in[sources[lane * 8 +: 8] * {5} +: {5}]);
        end
      end
  endtask

  initial begin
)";

constexpr const char* kTail = R"(    if (wrong != 0) begin
      $display("FAIL: %0d of %0d lanes wrong", wrong, checked);
      $fatal(1);
    end
    $display("PASS: {} maps, {} passes, %0d lanes", checked);
    $finish;
  end
endmodule
)";

}  // namespace

std::string bench(const Module& shuffle, const model::ShuffleNetwork& network,
                  const std::vector<isa::LaneMove>& moves, uint32_t seed) {
  const size_t lanes = shuffle.wiring.outputs().size();
  const ModuleSettings solver(shuffle, network);
  const unsigned controls = control_bits(shuffle.wiring);
  std::string text = fmt::format(kHead, shuffle.name, lanes * shuffle.bits - 1, controls - 1,
                                 lanes - 1, lanes * kSourceBits - 1, shuffle.bits);
  const std::string idle =
      fmt::format("    step({}, {});\n", Bits(controls).literal(), mask_literal(lanes, 0));
  std::mt19937 random(seed + 1);
  size_t passes = 0;
  for (const isa::LaneMove& move : moves) {
    text += fmt::format("    in = {};\n", words_literal(lanes, shuffle.bits, &random));
    isa::WideMask served = 0;
    for (const model::Settings& pass : solver.solve(network.route(model::requests(move, 0, 0)))) {
      text += fmt::format("    step({}, {});\n", selects_literal(shuffle, pass.selects),
                          mask_literal(lanes, pass.enables));
      served |= pass.enables;
      ++passes;
    }
    for (unsigned stage = 1; stage < shuffle.stages; ++stage) text += idle;
    text += fmt::format("    check({}, {});\n", sources_literal(lanes, move),
                        mask_literal(lanes, served));
  }
  return text + fmt::format(kTail, moves.size(), passes);
}

}  // namespace shflsim::rtl
