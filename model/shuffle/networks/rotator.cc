// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/uniform_stages.h"

namespace shflsim::model {
namespace {

/// Log rotator (barrel shifter over lanes): log2 N stages of 2:1 multiplexers; stage k moves all
/// lanes by 2^k or none. A pass has one distance.
///   passes = number of distinct (lane - source) mod N              (docs/sources.md, "Passes")
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"):
///   mux2 N log2(N) W, switches N log2 N - N/2 (one 2:1 multiplexer of a word each; by N/2 two
///   lanes exchange), levels log2 N; a rotation by d has d links that cross each place and d more
///   on their way round, N-d links of d pitches and d of N-d: tracks 2(N-1), length the sum over
///   d = 1, 2, .. N/2 of 2d(N-d) pitches; log2 N distance bits.
class Rotator : public ShuffleNetwork {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  Rotator(const Params&, unsigned lanes) : lanes_(lanes) {}

  unsigned ports() const override { return log2_of(lanes_) * lanes_; }
  std::string port_name(unsigned port) const override { return stage_port_name(port, lanes_); }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    std::vector<Wire> links = wiring.inputs();
    for (unsigned stage = 0; stage < log2_of(lanes_); ++stage) {
      const auto before = [&](unsigned place) { return (lanes_ + place - (1u << stage)) % lanes_; };
      links = wiring.stage(links, before, Control::kStage, stage * lanes_);
    }
    wiring.deliver(links);
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    return uniform_passes(UniformMove::kRotate, requests, lanes_);
  }

 private:
  unsigned lanes_;
};

const bool rotator_registered =
    ShuffleNetworks::add<Rotator>("rotator", "log2 stages that rotate all lanes by one distance");

}  // namespace
}  // namespace shflsim::model
