// SPDX-License-Identifier: Apache-2.0
// Buses that each carry the value of one lane per pass to every lane that wants it.
#include "model/shuffle/routing.h"

using namespace shflsim::model;

class Bus : public ShuffleNetwork {
 public:
  struct Params {
    uint32_t buses = 0;
    void list(ParameterList& list) {
      list.number("shuffle.bus.buses", &buses, 1, 32, "buses", "source lanes a pass")
          .by_default("4", "assumed: four values a pass");
    }
  };
  Bus(const Params& params, unsigned lanes) : lanes_(lanes), buses_(params.buses) {}
  unsigned ports() const override { return buses_; }
  std::string port_name(unsigned port) const override { return "bus " + std::to_string(port); }
  Wiring wiring() const override {  // a multiplexer of all lanes a bus, one of all buses a lane
    Wiring wiring(lanes_);
    std::vector<Wire> buses;
    for (unsigned bus = 0; bus < buses_; ++bus)
      buses.push_back(wiring.mux(wiring.group(), wiring.inputs(), lanes_ / 2, bus));
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
const bool registered = ShuffleNetworks::add<Bus>("bus", "buses for one source lane each");
