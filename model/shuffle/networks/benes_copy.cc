// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/shuffle/banyan.h"
#include "model/shuffle/benes_routing.h"

namespace shflsim::model {
namespace {

/// Beneš network after a copy network (Lee, 1988): a concentrator, an inverse butterfly, packs the
/// sources that are read onto the first lanes; a butterfly with broadcast switches copies each to
/// one adjacent lane for each of its readers; the Beneš network permutes the copies to their
/// readers.
///   passes = 1 for every map
/// since packing never blocks an inverse butterfly, and intervals in ascending order never block a
/// butterfly whose inputs are packed. Without the concentrator some maps would block: lanes 0 and
/// N/2 are at one switch of the first stage, so that neither can be copied to more than N/2 lanes
/// if both are read. The N log2 N mux2 per bit in docs/sources.md, "Cost", do not include it.
///
/// Cost for N lanes of W bits: the sums of two butterflies and a Beneš network (butterfly.cc,
/// benes.cc; docs/sources.md, "Cost"); the concentrator's switches do not broadcast, one control
/// bit each.
///
/// A unit that finds the settings also needs the ranks of the sources (prefix sums), for which no
/// time is counted (benes_routing.h).
class BenesCopy : public ShuffleNetwork {
 public:
  struct Params {
    std::string routing = kExact;
    void list(ParameterList& list) {
      list.choice(
          "shuffle.benes_copy.routing", &routing, {kExact, kLooping},
          "switch settings: found in advance, or for the Beneš part by a serial looping unit");
    }
  };

  BenesCopy(const Params& params, unsigned lanes)
      : routing_(params.routing), lanes_(lanes), stages_(log2_of(lanes)) {}

  unsigned ports() const override { return (2 * stages_ + benes_stages(lanes_)) * lanes_; }
  std::string port_name(unsigned port) const override {
    static const char* const kParts[] = {"concentrator ", "copy ", "Benes "};
    const unsigned part = std::min(port / (stages_ * lanes_), 2u);
    return kParts[part] + stage_port_name(port - part * stages_ * lanes_, lanes_);
  }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    const unsigned part = stages_ * lanes_;
    const auto packed =
        wiring.exchanges(wiring.inputs(), inverse_distances(lanes_), Control::kSwitch, 0);
    const auto copies =
        wiring.exchanges(packed, butterfly_distances(lanes_), Control::kMultiplexer, part);
    wiring.deliver(wiring.exchanges(copies, benes_distances(lanes_), Control::kSwitch, 2 * part));
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    std::vector<Request> by_source = requests;
    std::stable_sort(by_source.begin(), by_source.end(),
                     [](const Request& a, const Request& b) { return a.source < b.source; });
    std::vector<Request> copies;  // the Beneš network's inputs are the copies
    copies.reserve(by_source.size());
    for (const Request& request : by_source) {
      copies.push_back({request.lane, static_cast<uint8_t>(copies.size())});
    }
    const auto paths = benes_paths(copies, lanes_);

    Schedule schedule;
    if (routing_ == kLooping && !requests.empty()) schedule.set_up = looping_cycles(lanes_);
    unsigned rank = 0;  // rank of the source among the sources that are read
    for (size_t copy = 0; copy < by_source.size(); ++copy) {
      const Request& request = by_source[copy];
      if (copy > 0 && request.source != by_source[copy - 1].source) ++rank;
      carry_stages(BitOrder::kLowFirst, request.source, rank, 0, request, &schedule.passes[0]);
      carry_stages(BitOrder::kHighFirst, rank, static_cast<unsigned>(copy), stages_, request,
                   &schedule.passes[0]);
      carry_path(paths[copy], request, &schedule.passes[0]);
    }
    return schedule;
  }

 private:
  void carry_stages(BitOrder order, unsigned from, unsigned to, unsigned first_stage,
                    const Request& request, Pass* pass) const {
    for (unsigned stage = 0; stage < stages_; ++stage) {
      const unsigned place = banyan_place(order, from, to, stage, stages_);
      pass->carry((first_stage + stage) * lanes_ + place, request.source);
    }
  }

  void carry_path(const std::vector<unsigned>& path, const Request& request, Pass* pass) const {
    unsigned port = 0;
    for (unsigned stage = 0; stage < path.size(); ++stage) {
      port = (2 * stages_ + stage) * lanes_ + path[stage];
      pass->carry(port, request.source);
    }
    pass->deliver(request.lane, request.source, port);
  }

  std::string routing_;
  unsigned lanes_;
  unsigned stages_;
};

const bool benes_copy_registered = ShuffleNetworks::add<BenesCopy>(
    "benes_copy", "any pattern in one pass: concentrator, copies and permutation");

}  // namespace
}  // namespace shflsim::model
