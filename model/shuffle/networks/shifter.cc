// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/uniform_stages.h"

namespace shflsim::model {
namespace {

/// Log shifter: log2 N stages of 3:1 multiplexers; stage k rotates all lanes by 2^k, exchanges
/// lanes at distance 2^k, or does neither. The mode, rotate or xor, holds for all passes of a SHFL;
/// the mode that needs fewer passes is used, rotate on a tie.
///   passes = min(passes of the rotator, passes of the xor network)   (docs/sources.md, "Cost")
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"):
///   mux2 (N log2 N + (N/2)(log2 N - 1)) W: if bit k of a lane's number is 1, the lane receives the
///   same value by an exchange as by a rotation, and in the last stage every lane does; levels and
///   control bits 2 log2 N - 1. Each stage but the last has 3d tracks, d more than the rotator's,
///   and N/2 - d of its wires reach d pitches further, to the lane before: tracks
///   N + 3(N/2 - 1), length the rotator's + the sum over d = 1, 2, .. N/4 of d(N/2 - d) pitches.
class Shifter : public ShuffleNetwork {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  Shifter(const Params&, unsigned lanes) : lanes_(lanes) {}

  unsigned ports() const override { return log2_of(lanes_) * lanes_; }
  std::string port_name(unsigned port) const override { return stage_port_name(port, lanes_); }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    std::vector<Wire> links = wiring.inputs();
    for (unsigned stage = 0; stage < log2_of(lanes_); ++stage) {
      const std::vector<Wire> before = links;
      const unsigned distance = 1u << stage;
      const unsigned mode = wiring.group();
      for (unsigned lane = 0; lane < lanes_; ++lane) {
        std::vector<Wire> moves = {before[lane], before[(lanes_ + lane - distance) % lanes_]};
        if (2 * distance < lanes_) moves.push_back(before[lane ^ distance]);
        links[lane] = wiring.mux(mode, moves, lane, stage * lanes_ + lane);
      }
    }
    wiring.deliver(links);
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& all) const override {
    Schedule rotated = uniform_passes(UniformMove::kRotate, all, lanes_);
    Schedule exchanged = uniform_passes(UniformMove::kXor, all, lanes_);
    return rotated.pass_count() <= exchanged.pass_count() ? rotated : exchanged;
  }

 private:
  unsigned lanes_;
};

const bool shifter_registered = ShuffleNetworks::add<Shifter>(
    "shifter", "log2 stages that rotate or exchange all lanes, whichever takes fewer passes");

}  // namespace
}  // namespace shflsim::model
