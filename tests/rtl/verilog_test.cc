// SPDX-License-Identifier: Apache-2.0
#include "rtl/verilog.h"

#include <gmock/gmock.h>

#include "isa/base/input_error.h"
#include "rtl/bench.h"
#include "rtl/moves.h"

namespace shflsim::rtl {
namespace verilog_test {

Module module_named(const char* name, unsigned lanes, unsigned bits, unsigned stages = 1) {
  return module_of(name, *model::NetworkChoice().make(name, lanes), bits, stages);
}

TEST(Verilog, HasALineForEachMultiplexer) {
  EXPECT_EQ(verilog(module_named("xor", 4, 8)),
            R"(// shuffle_xor: 4 lanes of 8 bits, 1 stage. Generated from the network's wiring.
// wiring 8855d1ef4161b1cd
module shuffle_xor (
  input  wire clk,
  input  wire [31:0] in,
  input  wire [1:0] ctl,
  input  wire [3:0] we,
  output reg  [31:0] out
);
  wire [7:0] lane_0 = in[7:0];
  wire [7:0] lane_1 = in[15:8];
  wire [7:0] lane_2 = in[23:16];
  wire [7:0] lane_3 = in[31:24];
  wire [7:0] stage_0_link_0 = ctl[0] ? lane_1 : lane_0;  // group 0
  wire [7:0] stage_0_link_1 = ctl[0] ? lane_0 : lane_1;  // group 0
  wire [7:0] stage_0_link_2 = ctl[0] ? lane_3 : lane_2;  // group 0
  wire [7:0] stage_0_link_3 = ctl[0] ? lane_2 : lane_3;  // group 0
  wire [7:0] stage_1_link_0 = ctl[1] ? stage_0_link_2 : stage_0_link_0;  // group 1
  wire [7:0] stage_1_link_1 = ctl[1] ? stage_0_link_3 : stage_0_link_1;  // group 1
  wire [7:0] stage_1_link_2 = ctl[1] ? stage_0_link_0 : stage_0_link_2;  // group 1
  wire [7:0] stage_1_link_3 = ctl[1] ? stage_0_link_1 : stage_0_link_3;  // group 1
  always @(posedge clk) begin
    if (we[0]) out[7:0] <= stage_1_link_0;
    if (we[1]) out[15:8] <= stage_1_link_1;
    if (we[2]) out[23:16] <= stage_1_link_2;
    if (we[3]) out[31:24] <= stage_1_link_3;
  end
endmodule
)");
}

TEST(Verilog, NumbersControlBitsByGroupLowBitsFirst) {
  const Module crossbar = module_named("crossbar", 8, 1);
  const std::vector<ControlField> fields = control_fields(crossbar.wiring);
  ASSERT_EQ(fields.size(), 8u);
  EXPECT_EQ(fields[3].first, 9u);
  EXPECT_EQ(fields[3].bits, 3u);
  EXPECT_EQ(control_bits(crossbar.wiring), 24u);
}

TEST(Verilog, HasAsManyControlBitsAsTheCostsSay) {
  const model::NetworkChoice choice;
  for (const char* name : {"crossbar", "benes_copy", "half_outputs", "shifter", "butterfly_pair"}) {
    const auto network = choice.make(name, 32);
    EXPECT_EQ(control_bits(network->wiring()), network->cost().configuration_bits) << name;
  }
}

TEST(Verilog, DelaysSelectsAsFarAsTheyAreRead) {
  const std::string text = verilog(module_named("xor", 4, 8, 2));
  EXPECT_NE(text.find("always @(posedge clk) stage_0_link_2_q1 <= stage_0_link_2;"),
            std::string::npos);
  EXPECT_NE(text.find("stage_1_link_0 = group_1_q1 ? stage_0_link_2_q1 : stage_0_link_0_q1;"),
            std::string::npos);
  EXPECT_NE(text.find("if (we_q1[3]) out[31:24] <= stage_1_link_3;"), std::string::npos);
}

TEST(Verilog, IsRefusedWithoutMultiplexersOrWithStatesInStages) {
  model::NetworkChoice choice;
  EXPECT_THROW(module_of("shared_memory", *choice.make("shared_memory", 32), 32, 1), InputError);
  EXPECT_THROW(module_named("butterfly_pair", 32, 32, 2), InputError);
  EXPECT_NO_THROW(module_named("butterfly_pair", 32, 32, 1));
}

TEST(Bench, Has64Lanes) {
  const auto network = model::NetworkChoice().make("benes", 64);
  const std::string text =
      bench(module_of("benes", *network, 32, 1, 64), *network, random_moves(64, 5, 1), 1);
  EXPECT_THAT(text, testing::HasSubstr("reg [2047:0] in;"));
  EXPECT_THAT(text, testing::HasSubstr("64'hffffffffffffffff"));
}

}  // namespace verilog_test
}  // namespace shflsim::rtl
