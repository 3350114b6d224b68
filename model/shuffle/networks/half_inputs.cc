// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/routing.h"

namespace shflsim::model {
namespace {

/// Half-rate crossbar by inputs: N/2 buses carry the lower half of the source lanes in one pass and
/// the upper half in another; every output lane can read any bus.
///   passes = number of halves that hold a source: 2, or 1          (docs/sources.md, "Passes")
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"):
///   mux2 (N(N/2-1) + N/2)W: an output selects one of N/2 buses, a bus one of two lanes;
///   crosspoints N(N/2), N/2 multiplexers of two lanes, levels log2 N; N/2 tracks of N-1 pitches.
///   A bus' multiplexer is midway between its two lanes, N/2 apart: N/2 tracks and N^2/4 pitches
///   more; select bits N log2(N/2) and one bit for the half.
class HalfInputs : public ShuffleNetwork {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  HalfInputs(const Params&, unsigned lanes) : lanes_(lanes) {}

  unsigned ports() const override { return lanes_ / 2; }
  std::string port_name(unsigned port) const override {
    return "input bus " + std::to_string(port);
  }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    const unsigned half = lanes_ / 2;
    const unsigned choice = wiring.group();
    std::vector<Wire> buses;
    for (unsigned bus = 0; bus < half; ++bus) {
      buses.push_back(
          wiring.mux(choice, every(wiring.inputs(), bus, half, 2), bus + half / 2, bus));
    }
    wiring.deliver(wiring.selectors(buses, lanes_));
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    const unsigned half = lanes_ / 2;
    const auto batches = batches_by_setting(
        requests, [half](const Request& request) { return request.source / half; });
    return pass_per_batch(batches,
                          [half](const Request& request) { return request.source % half; });
  }

 private:
  unsigned lanes_;
};

const bool half_inputs_registered = ShuffleNetworks::add<HalfInputs>(
    "half_inputs", "half-rate crossbar: half of the source lanes a pass");

}  // namespace
}  // namespace shflsim::model
