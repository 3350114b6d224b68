// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/banyan.h"
#include "model/shuffle/benes_routing.h"

namespace shflsim::model {
namespace {

/// Butterfly and inverse butterfly side by side, both with broadcast switches; a pass goes through
/// one of them and ends in the lanes' registers (Hilewitz, Shi & Lee: any permutation of subwords
/// in two instructions). The shortest of three schedules is used:
///   - all passes through the butterfly, minimal (butterfly.cc),
///   - all passes through the inverse butterfly, minimal,
///   - partial permutations as in the Beneš network, each in one pass if one of the two networks
///     can do it, otherwise in two passes: through the butterfly to intermediate lanes, then
///     through the inverse butterfly, which together are a Beneš network.
///   1 <= passes <= 2 * max number of lanes that read one source; 2 for any permutation
/// Mixtures of the three could be shorter still and are not searched. Switches that use destination
/// bits (banyan.h) have only the first two schedules.
///
/// A register per lane holds the result of a pass through the butterfly. A multiplexer before the
/// inverse butterfly selects the register or the lane's own value, and another after both networks
/// selects the result of one of them. The pass that uses the register is the next one.
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"):
///   mux2 (2N log2 N + 2N) W, switches N log2 N + 2N, levels log2 N + 2: both networks, and the two
///   multiplexers per lane; length 2N(N-1) pitches, since nothing gates the sources; tracks of
///   both, less those that stages of one level share: 2N + the sum over k = 1 .. log2 N - 1 of
///   max(N/2^k, 2^k), or of both if they are equal; control bits of both, and two; N W bits of
///   registers besides the result's.
class ButterflyPair : public ShuffleNetwork {
 public:
  struct Params {
    std::string routing = kExact;
    void list(ParameterList& list) {
      list_banyan_routing("shuffle.butterfly_pair.routing", &routing, &list);
    }
  };

  ButterflyPair(const Params& params, unsigned lanes)
      : routing_(params.routing), lanes_(lanes), stages_(log2_of(lanes)) {}

  unsigned ports() const override { return 2 * stages_ * lanes_; }
  std::string port_name(unsigned port) const override {
    const unsigned inverse = port / (stages_ * lanes_);
    return (inverse ? "inverse " : "butterfly ") +
           stage_port_name(port - inverse * stages_ * lanes_, lanes_);
  }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    const auto ahead =
        wiring.exchanges(wiring.inputs(), butterfly_distances(lanes_), Control::kMultiplexer, 0);
    std::vector<Wire> held;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      held.push_back(wiring.hold(lane));
      wiring.drive(held[lane], ahead[lane]);
    }
    const auto again = wiring.either(wiring.inputs(), held);
    const auto inverse =
        wiring.exchanges(again, inverse_distances(lanes_), Control::kMultiplexer, stages_ * lanes_);
    wiring.deliver(wiring.either(ahead, inverse));
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& all) const override {
    Schedule best = through_one(all);
    if (best.pass_count() <= 2 || routing_ != kExact) return best;
    Schedule permuted;
    permuted.passes.clear();
    for (const std::vector<Request>& part : partial_permutations(all)) {
      const Schedule passes = permutation(part);
      permuted.passes.insert(permuted.passes.end(), passes.passes.begin(), passes.passes.end());
    }
    return permuted.pass_count() < best.pass_count() ? permuted : best;
  }

 private:
  Schedule through_one(const std::vector<Request>& list) const {
    Schedule ahead = banyan_passes(BitOrder::kHighFirst, routing_, list, lanes_);
    if (ahead.pass_count() == 1) return ahead;
    Schedule inverse = banyan_passes(BitOrder::kLowFirst, routing_, list, lanes_, stages_ * lanes_);
    return ahead.pass_count() <= inverse.pass_count() ? ahead : inverse;
  }

  Schedule permutation(const std::vector<Request>& part) const {
    Schedule direct = through_one(part);
    return direct.pass_count() <= 2 ? direct : through_both(part);
  }

  /// The Beneš network's middle stage is the butterfly's last; the inverse butterfly's first stage,
  /// with the same distance, passes straight.
  Schedule through_both(const std::vector<Request>& part) const {
    Schedule schedule;
    const auto paths = benes_paths(part, lanes_);
    for (size_t value = 0; value < part.size(); ++value) {
      const Request& request = part[value];
      for (unsigned stage = 0; stage < stages_; ++stage) {
        schedule.pass(0).carry(stage * lanes_ + paths[value][stage], request.source);
        schedule.pass(1).carry((stages_ + stage) * lanes_ + paths[value][stages_ - 1 + stage],
                               request.source);
      }
      schedule.pass(1).deliver(request.lane, request.source,
                               (2 * stages_ - 1) * lanes_ + request.lane);
    }
    return schedule;
  }

  std::string routing_;
  unsigned lanes_;
  unsigned stages_;
};

const bool butterfly_pair_registered = ShuffleNetworks::add<ButterflyPair>(
    "butterfly_pair", "butterfly and inverse butterfly: any permutation in two passes");

}  // namespace
}  // namespace shflsim::model
