// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/routing.h"

namespace shflsim::model {
namespace {

/// Full crossbar: every output lane has an N:1 multiplexer over all input lanes, whose select is
/// its source lane. Any map, including multicast, takes one pass.
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"; wire-limited crossbar area as in Satpathy
/// et al., XRAM, VLSI Symposium 2010):
///   mux2 N(N-1)W, crosspoints N^2, levels log2 N; N input wires along the row, each spanning N-1
///   lane pitches; select bits N log2 N.
class Crossbar : public ShuffleNetwork {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  Crossbar(const Params&, unsigned lanes) : lanes_(lanes) {}

  unsigned ports() const override { return lanes_; }
  std::string port_name(unsigned port) const override { return "output " + std::to_string(port); }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    wiring.deliver(wiring.crossbars(wiring.inputs(), lanes_, 0));
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    return serialise_groups(requests, 1, [](const Request& request) { return request.lane; });
  }

 private:
  unsigned lanes_;
};

const bool crossbar_registered =
    ShuffleNetworks::add<Crossbar>("crossbar", "full crossbar: every pattern in one pass");

}  // namespace
}  // namespace shflsim::model
