// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/banyan.h"

namespace shflsim::model {
namespace {

/// Hypercube: a link from each lane to the lanes whose numbers differ in one bit, and a register
/// per lane that keeps a value between passes. In a pass every lane takes a neighbour's value or
/// its own; all lanes send the value that they read, or all send their register. An exchange with
/// lane XOR a power of two takes one pass; other maps go through the stages of a butterfly or
/// inverse butterfly one pass after another, without stages that no value needs.
///   passes = sum over butterfly passes of max(1, bits in which some lane differs from its source)
///   in the order of bits, high or low first, that needs fewer; 1 to N log2 N
/// The passes of the butterfly are minimal (colouring.h), but their sum need not be.
///
/// Cost for N lanes of W bits, n = log2 N (docs/sources.md, "Cost"):
///   mux2 N (n+1) W: a lane sends one of two values and takes one of n+1; levels 1 + log2 (n+1)
///   rounded up; N wires from lane to lane, all of which cross the middle, of N/2 pitches each, and
///   of 2 (N N/4 - 1) / 3 together beyond that; control bits: 1 for the sent value and
///   log2 (n+1), rounded up, per lane; N W bits of registers besides the result's.
class Hypercube : public ShuffleNetwork {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  Hypercube(const Params&, unsigned lanes) : lanes_(lanes), bits_(log2_of(lanes)) {}

  unsigned ports() const override { return 2 * lanes_; }
  std::string port_name(unsigned port) const override {
    return (port < lanes_ ? "links of lane " : "register ") + std::to_string(port % lanes_);
  }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    std::vector<Wire> held;
    for (unsigned lane = 0; lane < lanes_; ++lane) held.push_back(wiring.hold(lane));
    const unsigned again = wiring.group();
    std::vector<Wire> sent;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      sent.push_back(wiring.mux(again, {wiring.inputs()[lane], held[lane]}, lane, lane));
    std::vector<Wire> taken;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      std::vector<Wire> choices = {sent[lane]};
      for (const unsigned distance : inverse_distances(lanes_))
        choices.push_back(sent[lane ^ distance]);
      taken.push_back(wiring.mux(wiring.group(), choices, lane, lanes_ + lane));
      wiring.drive(held[lane], taken[lane]);
    }
    wiring.deliver(taken);
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    Schedule high = in_order(BitOrder::kHighFirst, requests);
    Schedule low = in_order(BitOrder::kLowFirst, requests);
    return low.pass_count() < high.pass_count() ? low : high;
  }

 private:
  Schedule in_order(BitOrder order, const std::vector<Request>& requests) const {
    Schedule schedule;
    schedule.passes.clear();
    for (const Pass& at_once : banyan_passes(order, kExact, requests, lanes_).passes)
      bring(order, at_once.deliveries, &schedule);
    return schedule;
  }

  /// Performs a pass of a butterfly, stage by stage.
  void bring(BitOrder order, const std::vector<Delivery>& deliveries, Schedule* schedule) const {
    unsigned differing = 0;
    for (const Delivery& each : deliveries) differing |= each.lane ^ unsigned { each.source };
    if (differing == 0) hop(order, deliveries, 0, schedule);
    for (unsigned stage = 0; stage < bits_; ++stage) {
      const unsigned bit = order == BitOrder::kHighFirst ? bits_ - 1 - stage : stage;
      if ((differing >> bit & 1) != 0) hop(order, deliveries, stage, schedule);
    }
    for (const Delivery& each : deliveries)
      schedule->passes.back().deliver(each.lane, each.source, lanes_ + each.lane);
  }

  /// A pass that performs one stage of the butterfly.
  void hop(BitOrder order, const std::vector<Delivery>& deliveries, unsigned stage,
           Schedule* schedule) const {
    Pass& pass = schedule->passes.emplace_back();
    for (const Delivery& each : deliveries) {
      const unsigned from =
          stage == 0 ? each.source : banyan_place(order, each.source, each.lane, stage - 1, bits_);
      pass.carry(from, each.source);
      pass.carry(lanes_ + banyan_place(order, each.source, each.lane, stage, bits_), each.source);
    }
  }

  unsigned lanes_;
  unsigned bits_;
};

const bool hypercube_registered = ShuffleNetworks::add<Hypercube>(
    "hypercube",
    "links to lanes at distances 1, 2, 4, ..: exchanges in one pass, others in several");

}  // namespace
}  // namespace shflsim::model
