// SPDX-License-Identifier: Apache-2.0
#include "sweep/sensitivity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "isa/base/input_error.h"
#include "model/run.h"
#include "tests/support/layers.h"
#include "tests/support/suite.h"

namespace shflsim::sweep {
namespace sensitivity_test {

report::Sensitivity of(const std::string& kernel, const std::string& config) {
  const model::ConfigLayers layers = test::layers_of(config);
  const traces::Trace trace = test::suite_trace(kernel);
  return sensitivity({trace, layers, 1}, model::run(trace, layers).cycles, {}, 2);
}

const report::VariedValue* find(const report::Sensitivity& found, const std::string& key) {
  for (const report::VariedValue& value : found.values) {
    if (value.key == key) return &value;
  }
  return nullptr;
}

/// The only assumed value that reversed a comparison of two machines.
TEST(Sensitivity, U2eTheL1HitRateIsTriedFromEndToEnd) {
  const report::Sensitivity found = of("atomic_aggregate", "gh100");
  const report::VariedValue* rate = find(found, "global_memory.l1_assumed_rate");
  ASSERT_NE(rate, nullptr);
  EXPECT_EQ(rate->value, 100u);
  ASSERT_TRUE(rate->low.has_value());
  EXPECT_EQ(rate->low->value, 0u);
  EXPECT_FALSE(rate->high.has_value());
}

TEST(Sensitivity, U2kAValueThatMattersComesFirst) {
  const report::Sensitivity found = of("fft_32", "gm107");
  ASSERT_FALSE(found.values.empty());
  for (size_t i = 1; i < found.values.size(); ++i)
    EXPECT_GE(found.values[i - 1].most() - found.values[i - 1].least(),
              found.values[i].most() - found.values[i].least());
  const report::VariedValue* latency = find(found, "shuffle.latency");
  ASSERT_NE(latency, nullptr);
  ASSERT_TRUE(latency->low.has_value());
  ASSERT_TRUE(latency->high.has_value());
  EXPECT_EQ(latency->low->value, latency->value / 2);
  EXPECT_LT(latency->low->cycles, found.cycles);
  EXPECT_GT(latency->high->cycles, found.cycles);
  EXPECT_EQ(find(found, "shuffle.ring.ways"), nullptr) << "of a network that is not chosen";
}

TEST(Sensitivity, C2AMeasuredValueIsVariedWhereItIsNamed) {
  const traces::Trace trace = test::suite_trace("fft_32");
  model::ConfigLayers layers = test::layers_of("gh100");
  const uint64_t cycles = model::run(trace, layers).cycles;
  const report::Sensitivity found =
      sensitivity({trace, layers, 1}, cycles, {"shuffle.latency", "mio.beat_*"}, 2);
  ASSERT_EQ(found.values.size(), 2u);
  const report::VariedValue* latency = find(found, "shuffle.latency");
  ASSERT_NE(latency, nullptr);
  ASSERT_TRUE(latency->low && latency->high);
  EXPECT_EQ(latency->low->value, 10u);
  layers.add_setting("shuffle.latency=40");
  EXPECT_EQ(latency->high->cycles, model::run(trace, layers).cycles);
  EXPECT_NE(find(found, "mio.beat_interval"), nullptr);
}

TEST(Sensitivity, RefusesANameWithoutANumber) {
  const model::ConfigLayers layers = test::layers_of("gh100");
  for (const char* wrong : {"shuffle.latenci", "shuffle.network", "x*"})
    EXPECT_THROW(varied_keys(layers, {wrong}), InputError) << wrong;
}

TEST(Sensitivity, NeitherProcessesNorOrderShow) {
  const traces::Trace trace = test::suite_trace("stencil_3");
  const model::ConfigLayers layers = test::layers_of("gm107");
  const auto text = [&](unsigned processes) {
    std::ostringstream out;
    report::write_sensitivity(out, sensitivity({trace, layers, 1}, 100, {}, processes));
    return out.str();
  };
  EXPECT_EQ(text(1), text(4));
  EXPECT_NE(text(2).find("100 cycles; "), std::string::npos);
}

}  // namespace sensitivity_test
}  // namespace shflsim::sweep
