// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "model/shuffle/banyan.h"
#include "model/shuffle/benes_routing.h"

namespace shflsim::model {
namespace {

/// Beneš network: 2 log2 N - 1 stages of N/2 switches that pass straight or exchange. Any
/// permutation takes one pass, but there is no multicast: lanes that read one source take turns.
///   passes = max number of lanes that read one source              (docs/sources.md, "Passes")
/// which is the fewest possible, since a pass delivers a source to one lane. The settings are known
/// in advance, by the looping algorithm, or found by hardware that takes time or further passes
/// (benes_routing.h).
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"; Beneš, Bell System Technical Journal,
/// 1964):
///   switches (N/2)(2 log2 N - 1), mux2 two per switch and bit, levels 2 log2 N - 1; as two
///   butterflies that share the stage of distance 1: tracks 4(N-1) - 2, length 2N(N-1) - N pitches;
///   one control bit per switch.
class Benes : public ShuffleNetwork {
 public:
  struct Params {
    std::string routing = kExact;
    void list(ParameterList& list) {
      list.choice("shuffle.benes.routing", &routing, {kExact, kLooping, kSelfRouting},
                  "switch settings: found in advance, by a serial looping unit, or by each switch");
    }
  };

  Benes(const Params& params, unsigned lanes) : routing_(params.routing), lanes_(lanes) {}

  unsigned ports() const override { return benes_stages(lanes_) * lanes_; }
  std::string port_name(unsigned port) const override { return stage_port_name(port, lanes_); }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    wiring.deliver(wiring.exchanges(wiring.inputs(), benes_distances(lanes_), Control::kSwitch, 0));
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    Schedule schedule;
    const auto parts = partial_permutations(requests);
    schedule.passes.clear();
    for (const std::vector<Request>& part : parts) {
      if (routing_ == kSelfRouting) {
        self_route(part, &schedule);
      } else {
        pass_of(part, benes_paths(part, lanes_), &schedule);
      }
    }
    if (routing_ == kLooping && !requests.empty())
      schedule.set_up = schedule.pass_count() * looping_cycles(lanes_);
    return schedule;
  }

 private:
  using Paths = std::vector<std::vector<unsigned>>;

  void pass_of(const std::vector<Request>& part, const Paths& paths, Schedule* schedule) const {
    Pass& pass = schedule->pass(schedule->passes.size());
    const bool waited = schedule->pass_count() > 1;
    for (size_t value = 0; value < part.size(); ++value) {
      take(paths[value], part[value], waited, &pass);
    }
  }

  void self_route(std::vector<Request> waiting, Schedule* schedule) const {
    do {
      auto home = self_routed_paths(waiting, lanes_);
      if (home.empty() && !waiting.empty())
        home = {{0, self_routed_paths({waiting[0]}, lanes_)[0]}};
      std::vector<Request> served;
      Paths paths;
      for (const auto& [index, path] : home) {
        served.push_back(waiting[index]);
        paths.push_back(path);
      }
      pass_of(served, paths, schedule);
      for (auto each = home.rbegin(); each != home.rend(); ++each) {
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(each->first));
      }
    } while (!waiting.empty());
  }

  /// A lane that waits is assigned its source's link after the first stage.
  void take(const std::vector<unsigned>& path, const Request& request, bool waited,
            Pass* pass) const {
    for (unsigned stage = 0; stage < path.size(); ++stage) {
      pass->carry(stage * lanes_ + path[stage], request.source);
    }
    const unsigned stage = waited ? 0 : static_cast<unsigned>(path.size()) - 1;
    pass->deliver(request.lane, request.source, stage * lanes_ + path[stage]);
  }

  std::string routing_;
  unsigned lanes_;
};

const bool benes_registered = ShuffleNetworks::add<Benes>(
    "benes", "rearrangeable: any permutation in one pass, no multicast");

}  // namespace
}  // namespace shflsim::model
