// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/routing.h"

namespace shflsim::model {
namespace {

/// Half-rate crossbar by outputs: N/2 output multiplexers over all N input lanes serve the lower
/// half of the lanes in one pass and the upper half in another.
///   passes = number of halves that hold an executing lane: 2, or 1   (docs/sources.md, "Passes")
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"):
///   mux2 (N/2)(N-1)W, crosspoints (N/2)N, levels log2 N. A multiplexer is midway between its
///   two lanes, N/2 apart: N tracks to the multiplexers and N/2 from them, 13N^2/16 - 3N/4 pitches
///   in all; select bits (N/2) log2 N. The lanes' enables select the half that is written.
class HalfOutputs : public ShuffleNetwork {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  HalfOutputs(const Params&, unsigned lanes) : lanes_(lanes) {}

  unsigned ports() const override { return lanes_ / 2; }
  std::string port_name(unsigned port) const override {
    return "output multiplexer " + std::to_string(port);
  }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    const unsigned half = lanes_ / 2;
    std::vector<Wire> outputs(lanes_);
    for (unsigned port = 0; port < half; ++port) {
      outputs[port] = outputs[port + half] =
          wiring.mux(wiring.group(), wiring.inputs(), port + half / 2, port);
    }
    wiring.deliver(outputs);
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    const unsigned half = lanes_ / 2;
    const auto batches = batches_by_setting(
        requests, [half](const Request& request) { return request.lane / half; });
    return pass_per_batch(batches, [half](const Request& request) { return request.lane % half; });
  }

 private:
  unsigned lanes_;
};

const bool half_outputs_registered = ShuffleNetworks::add<HalfOutputs>(
    "half_outputs", "half-rate crossbar: half of the output lanes a pass");

}  // namespace
}  // namespace shflsim::model
