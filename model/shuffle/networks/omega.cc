// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/banyan.h"

namespace shflsim::model {
namespace {

/// Omega network (Lawrie, IEEE Transactions on Computers C-24(12), 1975) with broadcast: log2 N
/// stages, each a perfect shuffle of the lanes followed by N/2 switches between neighbours; a
/// switch passes straight, exchanges, or sends either input to both outputs. It is the butterfly
/// with its lanes laid out otherwise: behind k stages a value is on the link (low n-k bits of the
/// source, high k bits of the destination). One path from lane to lane, so that it blocks.
///   passes = chromatic number of the graph of requests that meet on a link with different sources
///            >= max over links of distinct sources                 (docs/sources.md, "Passes")
/// The schedule is minimal: the colouring is exact (colouring.h), and with one path from lane to
/// lane there is nothing else to choose.
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"):
///   mux2 N log2(N) W (a switch is two, broadcast or not), switches (N/2) log2 N, levels log2 N; a
///   perfect shuffle has N/2 links across its middle and N^2/4 - N/2 pitches of links: tracks
///   (N/2) log2 N, length (N^2/4 - N/2) log2 N; two control bits a switch.
class Omega : public ShuffleNetwork {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  Omega(const Params&, unsigned lanes) : lanes_(lanes), stages_(log2_of(lanes)) {}

  unsigned ports() const override { return stages_ * lanes_; }
  std::string port_name(unsigned port) const override {
    const unsigned shuffled = port / lanes_ + 1;  // stages that have shuffled the place's bits
    const unsigned place = port % lanes_;
    const unsigned link = (place << shuffled | place >> (stages_ - shuffled)) % lanes_;
    return stage_port_name(port - place + link, lanes_);
  }
  NetworkCost cost() const override {
    NetworkCost cost;
    cost.mux2 = uint64_t{lanes_} * stages_ * kWordBits;
    cost.switches = uint64_t{lanes_} / 2 * stages_;
    cost.mux_levels = stages_;
    cost.wire_tracks = lanes_ / 2 * stages_;
    cost.wire_length = (uint64_t{lanes_} * lanes_ / 4 - lanes_ / 2) * stages_;
    cost.configuration_bits = lanes_ * stages_;
    return cost;
  }

 protected:
  Schedule plan(const isa::LaneMap& map) const override {
    return banyan_passes(BitOrder::kHighFirst, requests(map), lanes_);
  }

 private:
  unsigned lanes_;
  unsigned stages_;
};

const bool registered = ShuffleNetworks::add<Omega>(
    "omega", "log2 stages of perfect shuffle and 2x2 broadcast switches: blocks");

}  // namespace
}  // namespace shflsim::model
