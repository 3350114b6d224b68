// SPDX-License-Identifier: Apache-2.0
#include "rtl/proof.h"

#include <gmock/gmock.h>

#include <set>

namespace shflsim::rtl {
namespace proof_test {

using testing::HasSubstr;

constexpr unsigned kLanes = 8;

/// The pins of a module that contains the wiring's own data path and can have a fault.
class Pins {
 public:
  explicit Pins(const model::Wiring& wiring) : path_(wiring), fields_(control_fields(wiring)) {}

  void edge(const uint32_t* in, const uint32_t* ctl, const uint32_t* we, uint32_t* out) {
    std::vector<uint8_t> selects;
    for (const ControlField& field : fields_) {
      uint8_t select = 0;
      for (unsigned bit = field.first; bit < field.first + field.bits; ++bit) {
        select |= static_cast<uint8_t>(((ctl[bit / 32] >> (bit % 32)) & 1u) << (bit - field.first));
      }
      selects.push_back(select);
    }
    const std::vector<uint32_t> arrived = path_.pass({in, in + kLanes}, selects);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (((we[0] | also_enabled) >> lane) & 1u) held_[lane] = arrived[lane] ^ inverted[lane];
      out[lane] = held_[lane];
    }
  }

  std::array<uint32_t, kLanes> inverted{};  ///< bits to invert in a lane's result
  uint32_t also_enabled = 0;                ///< lanes that are enabled regardless of `we`

 private:
  model::DataPath path_;
  std::vector<ControlField> fields_;
  std::array<uint32_t, kLanes> held_{};
};

struct Bench {
  explicit Bench(const char* name)
      : network(model::NetworkChoice().make(name, kLanes)),
        shuffle(module_of(name, *network, 32, 1)),
        pins(shuffle.wiring),
        proof(
            shuffle, *network, [this](auto... words) { pins.edge(words...); }, 1) {}

  std::unique_ptr<model::ShuffleNetwork> network;
  Module shuffle;
  Pins pins;
  Proof proof;
};

isa::LaneMap rotation() {
  isa::LaneMap map = numbered_map(kLanes, 0);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    map.source[lane] = static_cast<uint8_t>((lane + 1) % kLanes);
  }
  return map;
}

TEST(Proof, ComparesEveryLaneThatIsDelivered) {
  for (const char* name : {"benes_copy", "butterfly_pair", "half_outputs", "xor"}) {
    Bench bench(name);
    std::mt19937_64 random(1);
    for (unsigned number = 0; number < 200; ++number) {
      EXPECT_EQ(bench.proof.fault(random_map(kLanes, number, &random)), std::nullopt) << name;
    }
    EXPECT_EQ(bench.proof.counts().maps, 200u);
    EXPECT_GT(bench.proof.counts().lanes, 1000u);
    EXPECT_EQ(bench.proof.counts().left_out, 0u);
  }
}

TEST(Proof, NamesPassAndLaneOfAWrongWord) {
  Bench bench("crossbar");
  bench.pins.inverted[5] = 1;
  const auto fault = bench.proof.fault(rotation());
  ASSERT_TRUE(fault);
  EXPECT_THAT(*fault, HasSubstr("pass 0, lane 5: has "));
  EXPECT_THAT(*fault, HasSubstr("the word of lane 6"));
}

TEST(Proof, NoticesALaneThatIsWrittenWithoutBeingServed) {
  Bench bench("crossbar");
  isa::LaneMap map = rotation();
  map.executing = 0x0F;
  bench.pins.also_enabled = 0x40;
  const auto fault = bench.proof.fault(map);
  ASSERT_TRUE(fault);
  EXPECT_THAT(*fault, HasSubstr("pass 0, lane 6: has "));
  EXPECT_THAT(*fault, HasSubstr("the word that it had"));
}

TEST(Proof, LeavesOutWhatSharedMemoryDelivers) {
  Bench bench("quad");
  EXPECT_EQ(bench.proof.fault(rotation()), std::nullopt);
  EXPECT_EQ(bench.proof.counts().lanes, 0u);
  EXPECT_EQ(bench.proof.counts().left_out, kLanes);
}

TEST(Proof, IsOfOneStageAndWholeRegisters) {
  const auto network = model::NetworkChoice().make("xor", kLanes);
  for (const Module& shuffle :
       {module_of("xor", *network, 16, 1), module_of("xor", *network, 32, 2)}) {
    EXPECT_THROW(Proof(
                     shuffle, *network, [](auto...) {}, 1),
                 std::invalid_argument);
  }
}

TEST(RandomMap, IsOfFiveKindsOrUniformAndAThirdUnderMasks) {
  std::mt19937_64 random(1);
  unsigned masked = 0;
  for (unsigned number = 0; number < 180; ++number) {
    const isa::LaneMap map = random_map(32, number, &random);
    masked += map.executing != isa::kAllLanes ? 1 : 0;
    const std::set<uint8_t> sources(map.source.begin(), map.source.end());
    if (number % 5 == 1 || number % 5 == 2) {
      EXPECT_EQ(sources.size(), 32u);
    } else if (number % 50 == 49) {
      EXPECT_EQ(sources.size(), 1u);
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      EXPECT_LT(map.source[lane], 32u);
      if (number % 5 == 4 && number % 50 != 49) {
        EXPECT_EQ(map.source[lane] / 4, lane / 4);
      }
    }
  }
  EXPECT_EQ(masked, 60u);
}

TEST(NumberedMap, CountsThroughAllMaps) {
  std::set<std::vector<uint8_t>> seen;
  for (uint64_t number = 0; number < 256; ++number) {
    const isa::LaneMap map = numbered_map(4, number);
    EXPECT_EQ(map.executing, 0xFu);
    seen.insert({map.source.begin(), map.source.begin() + 4});
  }
  EXPECT_EQ(seen.size(), 256u);
}

}  // namespace proof_test
}  // namespace shflsim::rtl
