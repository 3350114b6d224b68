// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/banyan.h"

namespace shflsim::model {
namespace {

/// Omega network (Lawrie, IEEE Transactions on Computers C-24(12), 1975) with broadcast: log2 N
/// stages, each a perfect shuffle of the lanes followed by N/2 switches between neighbours; a
/// switch passes straight, exchanges, or sends either input to both outputs. It is the butterfly
/// with another order of lanes: after k stages a value is on the link (low n-k bits of the source,
/// high k bits of the destination). There is one path from lane to lane, so the network blocks.
///   passes = chromatic number of the graph of requests that meet on a link with different sources
///            >= max over links of distinct sources                 (docs/sources.md, "Passes")
/// The exact schedule is minimal: the colouring is minimal (colouring.h), and each request has only
/// one path. Switches that use destination bits need more passes (banyan.h).
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"):
///   mux2 N log2(N) W (a switch is two, broadcast or not), switches (N/2) log2 N, levels log2 N; a
///   perfect shuffle has N/2 links across its middle and N^2/4 - N/2 pitches of links, to which the
///   switches add N pitches between their two places: tracks (N/2) log2 N, length
///   (N^2/4 + N/2) log2 N; two control bits per switch.
class Omega : public ShuffleNetwork {
 public:
  struct Params {
    std::string routing = kExact;
    void list(ParameterList& list) {
      list_banyan_routing("shuffle.omega.routing", &routing, &list);
    }
  };

  Omega(const Params& params, unsigned lanes)
      : routing_(params.routing), lanes_(lanes), stages_(log2_of(lanes)) {}

  unsigned ports() const override { return stages_ * lanes_; }
  std::string port_name(unsigned port) const override {
    const unsigned shuffled = port / lanes_ + 1;  // stages that have shuffled the place's bits
    const unsigned place = port % lanes_;
    return stage_port_name(port - place + rotated(place, shuffled), lanes_);
  }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    std::vector<Wire> links = wiring.inputs();
    for (unsigned stage = 0; stage < stages_; ++stage) {
      const std::vector<Wire> before = links;
      for (unsigned link = 0; link < lanes_; ++link) {
        const unsigned port = stage * lanes_ + rotated(link, stages_ - stage - 1);
        const std::vector<Wire> both = {before[rotated(link, stages_ - 1)],
                                        before[rotated(link ^ 1u, stages_ - 1)]};
        links[link] = wiring.mux(wiring.group(), both, link, port);
      }
    }
    wiring.deliver(links);
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    return banyan_passes(BitOrder::kHighFirst, routing_, requests, lanes_);
  }

 private:
  /// A place's number with its bits rotated left by up to log2 N.
  unsigned rotated(unsigned place, unsigned bits) const {
    return (place << bits | place >> (stages_ - bits)) % lanes_;
  }

  std::string routing_;
  unsigned lanes_;
  unsigned stages_;
};

const bool omega_registered = ShuffleNetworks::add<Omega>(
    "omega", "log2 stages of perfect shuffle and 2x2 broadcast switches: blocks");

}  // namespace
}  // namespace shflsim::model
