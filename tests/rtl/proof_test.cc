// SPDX-License-Identifier: Apache-2.0
#include "rtl/proof.h"

#include <gmock/gmock.h>

#include "rtl/moves.h"

namespace shflsim::rtl {
namespace proof_test {

using testing::HasSubstr;

/// The pins of a module that contains the wiring's own data path and can have a fault.
class Pins {
 public:
  explicit Pins(const model::Wiring& wiring)
      : inverted(wiring.outputs().size()),
        path_(wiring),
        fields_(control_fields(wiring)),
        held_(inverted.size()) {}

  void edge(const uint32_t* in, const uint32_t* ctl, const uint32_t* we, uint32_t* out) {
    std::vector<uint8_t> selects;
    for (const ControlField& field : fields_) {
      uint8_t select = 0;
      for (unsigned bit = field.first; bit < field.first + field.bits; ++bit) {
        select |= static_cast<uint8_t>(((ctl[bit / 32] >> (bit % 32)) & 1u) << (bit - field.first));
      }
      selects.push_back(select);
    }
    const std::vector<uint32_t> arrived = path_.pass({in, in + held_.size()}, selects);
    const isa::WideMask enabled = also_enabled | isa::WideMask{we[1]} << 32u | we[0];
    for (unsigned lane = 0; lane < held_.size(); ++lane) {
      if (isa::has_bit(enabled, lane)) held_[lane] = arrived[lane] ^ inverted[lane];
      out[lane] = held_[lane];
    }
  }

  std::vector<uint32_t> inverted;  ///< bits to invert in a lane's result
  isa::WideMask also_enabled = 0;  ///< lanes that are enabled regardless of `we`

 private:
  model::DataPath path_;
  std::vector<ControlField> fields_;
  std::vector<uint32_t> held_;
};

struct Bench {
  explicit Bench(const char* name, unsigned lanes = 8)
      : network(model::NetworkChoice().make(name, lanes)),
        shuffle(module_of(name, *network, 32, 1, lanes)),
        pins(shuffle.wiring),
        proof(
            shuffle, *network, [this](auto... words) { pins.edge(words...); }, 1) {}

  std::unique_ptr<model::ShuffleNetwork> network;
  Module shuffle;
  Pins pins;
  Proof proof;
};

isa::LaneMove rotation(unsigned lanes) {
  isa::LaneMove move(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    move.source[0][lane] = isa::LaneSource::of((lane + 1) % lanes);
  return move;
}

TEST(Proof, ComparesEveryLaneThatIsDelivered) {
  for (const unsigned lanes : {8u, 64u}) {
    for (const char* name : {"benes_copy", "butterfly_pair", "half_outputs", "xor"}) {
      Bench bench(name, lanes);
      std::mt19937_64 random(1);
      for (unsigned number = 0; number < 200; ++number) {
        EXPECT_EQ(bench.proof.fault(random_move(lanes, number, &random)), std::nullopt) << name;
      }
      EXPECT_EQ(bench.proof.counts().maps, 200u);
      EXPECT_GT(bench.proof.counts().lanes, 125u * lanes);
      EXPECT_EQ(bench.proof.counts().left_out, 0u);
    }
  }
}

TEST(Proof, NamesPassAndLaneOfAWrongWord) {
  Bench bench("crossbar");
  bench.pins.inverted[5] = 1;
  const auto fault = bench.proof.fault(rotation(8));
  ASSERT_TRUE(fault);
  EXPECT_THAT(*fault, HasSubstr("pass 0, lane 5: has "));
  EXPECT_THAT(*fault, HasSubstr("the word of lane 6"));
  Bench wide("crossbar", 64);
  wide.pins.inverted[60] = 1;
  EXPECT_THAT(wide.proof.fault(rotation(64)).value_or(""), HasSubstr("pass 0, lane 60: has "));
}

TEST(Proof, NoticesALaneThatIsWrittenWithoutBeingServed) {
  Bench bench("crossbar");
  isa::LaneMove move = rotation(8);
  for (unsigned lane = 4; lane < 8; ++lane) move.source[0][lane] = isa::LaneSource{};
  bench.pins.also_enabled = 0x40;
  const auto fault = bench.proof.fault(move);
  ASSERT_TRUE(fault);
  EXPECT_THAT(*fault, HasSubstr("pass 0, lane 6: has "));
  EXPECT_THAT(*fault, HasSubstr("the word that it had"));
}

TEST(Proof, LeavesOutWhatSharedMemoryDelivers) {
  Bench bench("quad");
  EXPECT_EQ(bench.proof.fault(rotation(8)), std::nullopt);
  EXPECT_EQ(bench.proof.counts().lanes, 0u);
  EXPECT_EQ(bench.proof.counts().left_out, 8u);
}

TEST(Proof, IsOfOneStageAndWholeRegisters) {
  const auto network = model::NetworkChoice().make("xor", 8);
  for (const Module& shuffle :
       {module_of("xor", *network, 16, 1), module_of("xor", *network, 32, 2)}) {
    EXPECT_THROW(Proof(
                     shuffle, *network, [](auto...) {}, 1),
                 std::invalid_argument);
  }
}

}  // namespace proof_test
}  // namespace shflsim::rtl
