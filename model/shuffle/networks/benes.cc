// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/benes_routing.h"

namespace shflsim::model {
namespace {

/// Beneš network: 2 log2 N - 1 stages of N/2 switches that pass straight or exchange. Any
/// permutation in one pass, but no multicast: lanes that read the same source take turns.
///   passes = max number of lanes that read one source              (docs/sources.md, "Passes")
/// which is the fewest possible, since a pass brings a source to one lane. Set-up by the looping
/// algorithm (benes_routing.h).
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"; Beneš, Bell System Technical Journal,
/// 1964):
///   switches (N/2)(2 log2 N - 1), mux2 two a switch and bit, levels 2 log2 N - 1; two butterflies
///   that share the stage of distance 1: tracks 4(N-1) - 2, length 2N(N-1) - N pitches; a control
///   bit a switch.
class Benes : public ShuffleNetwork {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  Benes(const Params&, unsigned lanes) : lanes_(lanes) {}

  unsigned ports() const override { return benes_stages(lanes_) * lanes_; }
  std::string port_name(unsigned port) const override { return stage_port_name(port, lanes_); }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    wiring.deliver(wiring.exchanges(wiring.inputs(), benes_distances(lanes_), Control::kSwitch, 0));
    return wiring;
  }

 protected:
  Schedule plan(const isa::LaneMap& map) const override {
    Schedule schedule;
    const auto parts = partial_permutations(requests(map));
    for (size_t index = 0; index < parts.size(); ++index) {
      const auto paths = benes_paths(parts[index], lanes_);
      for (size_t value = 0; value < parts[index].size(); ++value) {
        take(paths[value], parts[index][value], index > 0, &schedule.pass(index));
      }
    }
    return schedule;
  }

 private:
  /// A lane that waits, waits for its source's link behind the first stage.
  void take(const std::vector<unsigned>& path, const Request& request, bool waited,
            Pass* pass) const {
    for (unsigned stage = 0; stage < path.size(); ++stage) {
      pass->carry(stage * lanes_ + path[stage], request.source);
    }
    const unsigned stage = waited ? 0 : static_cast<unsigned>(path.size()) - 1;
    pass->deliver(request.lane, request.source, stage * lanes_ + path[stage]);
  }

  unsigned lanes_;
};

const bool registered = ShuffleNetworks::add<Benes>(
    "benes", "rearrangeable: any permutation in one pass, no multicast");

}  // namespace
}  // namespace shflsim::model
