// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "model/shuffle/routing.h"
#include "tests/model/shuffle/patterns.h"

namespace shflsim::model {
namespace shuffle_toy_network_test {

/// A minimal network: one bus, one source lane per pass. It needs no other file than this one,
/// which the build finds.
class Bus : public ShuffleNetwork {
 public:
  struct Params {
    uint32_t buses = 0;
    void list(ParameterList& list) {
      list.number("shuffle.toy_bus.buses", &buses, 1, 32, "buses", "source lanes a pass");
    }
  };

  Bus(const Params& params, unsigned lanes) : lanes_(lanes), buses_(params.buses) {}

  unsigned ports() const override { return buses_; }
  std::string port_name(unsigned port) const override { return "bus " + std::to_string(port); }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    std::vector<Wire> buses;
    for (unsigned bus = 0; bus < buses_; ++bus) {
      buses.push_back(wiring.mux(wiring.group(), wiring.inputs(), lanes_ / 2, bus));
    }
    wiring.deliver(wiring.selectors(buses, lanes_));
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    return serialise_groups(requests, buses_, [](const Request&) { return 0u; });
  }

 private:
  unsigned lanes_;
  uint32_t buses_;
};

const bool bus_registered = ShuffleNetworks::add<Bus>("toy_bus", "buses for one source lane each");

TEST(ToyNetwork, IsThereByItsNameWithItsParameterAndTheAddOns) {
  const auto distinct = test::map_of([](unsigned lane) { return lane / 2; });
  EXPECT_EQ(test::make_network("toy_bus")->route(distinct).pass_count(), 16u);
  const test::Settings four = {{"shuffle.toy_bus.buses", "4"}};
  EXPECT_EQ(test::make_network("toy_bus", four)->route(distinct).pass_count(), 4u);
  const test::Settings bypassed = {{"shuffle.self_bypass", "1"}};  // only lane 0 reads itself
  EXPECT_EQ(test::make_network("toy_bus", bypassed)->route(distinct).pass_count(), 16u);
  EXPECT_EQ(test::make_network("toy_bus", bypassed)
                ->route(test::map_of([](unsigned lane) { return lane; }))
                .pass_count(),
            1u);
}

/// A faulty network: it delivers the wrong sources, or sends several over one port.
class Liar : public ShuffleNetwork {
 public:
  explicit Liar(bool crossed) : crossed_(crossed) {}
  unsigned ports() const override { return 1; }
  std::string port_name(unsigned) const override { return "wire"; }
  Wiring wiring() const override { return {}; }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    Schedule schedule;
    for (const Request& request : requests) {
      const auto source = static_cast<uint8_t>(crossed_ ? request.source : request.source ^ 1);
      schedule.passes[0].deliver(request.lane, source, crossed_ ? 0 : request.lane);
    }
    return schedule;
  }

 private:
  bool crossed_;
};

TEST(Route, RefusesAScheduleThatDeliversOtherValuesOrSharesAPort) {
  const auto identity = test::map_of([](unsigned lane) { return lane; });
  EXPECT_THROW(Liar(true).route(identity), std::logic_error);
  EXPECT_THROW(Liar(false).route(identity), std::logic_error);
}

}  // namespace shuffle_toy_network_test
}  // namespace shflsim::model
