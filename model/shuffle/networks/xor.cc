// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/uniform_stages.h"

namespace shflsim::model {
namespace {

/// Xor network: log2 N stages of 2:1 multiplexers; stage k exchanges all lanes at distance 2^k or
/// none. A pass has one xor mask.
///   passes = number of distinct (lane xor source)                  (docs/sources.md, "Passes")
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"):
///   mux2 N log2(N) W, switches (N/2) log2 N that pass straight or exchange, levels log2 N; an
///   exchange at distance d has 2d links across its middle: tracks 2(N-1), length N(N-1) pitches;
///   log2 N mask bits.
class Xor : public ShuffleNetwork {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  Xor(const Params&, unsigned lanes) : lanes_(lanes) {}

  unsigned ports() const override { return log2_of(lanes_) * lanes_; }
  std::string port_name(unsigned port) const override { return stage_port_name(port, lanes_); }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    wiring.deliver(
        wiring.exchanges(wiring.inputs(), inverse_distances(lanes_), Control::kStage, 0));
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    return uniform_passes(UniformMove::kXor, requests, lanes_);
  }

 private:
  unsigned lanes_;
};

const bool xor_registered =
    ShuffleNetworks::add<Xor>("xor", "log2 stages that exchange all lanes by one xor mask");

}  // namespace
}  // namespace shflsim::model
