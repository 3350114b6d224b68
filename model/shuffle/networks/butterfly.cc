// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/banyan.h"

namespace shflsim::model {
namespace {

/// Butterfly with broadcast: log2 N stages of N/2 switches between lanes at distance N/2, .., 2, 1;
/// a switch passes straight, exchanges, or sends either input to both outputs. There is one path
/// from lane to lane, so that the network blocks.
///   passes = chromatic number of the graph of requests that meet on a link with different sources
///            >= max over links of distinct sources                 (docs/sources.md, "Passes")
/// The exact schedule is minimal: the colouring is minimal (colouring.h), and each request has only
/// one path. Switches that use destination bits need more passes (banyan.h).
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"):
///   mux2 N log2(N) W (a switch is two, broadcast or not), switches (N/2) log2 N, levels log2 N; a
///   stage of distance d has 2d links across its middle: tracks 2(N-1), length N(N-1) pitches; two
///   control bits per switch.
class Butterfly : public ShuffleNetwork {
 public:
  struct Params {
    std::string routing = kExact;
    void list(ParameterList& list) {
      list_banyan_routing("shuffle.butterfly.routing", &routing, &list);
    }
  };

  Butterfly(const Params& params, unsigned lanes)
      : routing_(params.routing), lanes_(lanes), stages_(log2_of(lanes)) {}

  unsigned ports() const override { return stages_ * lanes_; }
  std::string port_name(unsigned port) const override { return stage_port_name(port, lanes_); }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    wiring.deliver(
        wiring.exchanges(wiring.inputs(), butterfly_distances(lanes_), Control::kMultiplexer, 0));
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    return banyan_passes(BitOrder::kHighFirst, routing_, requests, lanes_);
  }

 private:
  std::string routing_;
  unsigned lanes_;
  unsigned stages_;
};

const bool butterfly_registered = ShuffleNetworks::add<Butterfly>(
    "butterfly", "log2 stages of 2x2 broadcast switches, distances N/2 to 1: blocks");

}  // namespace
}  // namespace shflsim::model
