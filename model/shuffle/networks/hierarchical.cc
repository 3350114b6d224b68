// SPDX-License-Identifier: Apache-2.0
#include "isa/base/input_error.h"
#include "model/shuffle/routing.h"

namespace shflsim::model {
namespace {

/// Two levels: the lanes are in groups of S. Within a source group an SxS crossbar has one output
/// per position 0..S-1; every lane then selects, among the groups, the output of its own position.
/// An output carries one source per pass, to the lanes of its position in any group.
///   passes = max over (source group, position) of distinct sources <= min(S, N/S)
///                                                                  (docs/sources.md, "Passes")
///
/// Cost for N lanes of W bits, G = N/S groups (docs/sources.md, "Cost"):
///   mux2 N(S-1)W + N(G-1)W, crosspoints N S + N G, levels log2 S + log2 G; S tracks for the
///   groups' crossbars (each in its own stretch of the row) and N between the levels; N(S-1)
///   pitches within the groups and N(N-S) between them; select bits N log2 S + N log2 G.
class Hierarchical : public ShuffleNetwork {
 public:
  struct Params {
    uint32_t group = 0;
    void list(ParameterList& list) {
      list.number("shuffle.hierarchical.group", &group, 2, isa::kLanes / 2, "lanes",
                  "lanes of a group, which has a crossbar of its own")
          .step = Step::kDoubling;
    }
  };

  Hierarchical(const Params& params, unsigned lanes) : lanes_(lanes), group_(params.group) {
    if (group_ > lanes) {
      throw InputError("shuffle.hierarchical.group = " + std::to_string(group_) + " of " +
                       std::to_string(lanes) + " lanes; expected no more than there are");
    }
  }

  unsigned ports() const override { return lanes_; }
  std::string port_name(unsigned port) const override {
    return "group " + std::to_string(port / group_) + " output " + std::to_string(port % group_);
  }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    const auto within = wiring.crossbars(wiring.inputs(), group_, 0);
    std::vector<Wire> outputs;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      const auto of_position = every(within, lane % group_, group_, lanes_ / group_);
      outputs.push_back(wiring.mux(wiring.group(), of_position, lane));
    }
    wiring.deliver(outputs);
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    return serialise_groups(requests, 1, [this](const Request& request) {
      return request.source / group_ * group_ + request.lane % group_;
    });
  }

 private:
  unsigned lanes_;
  unsigned group_;
};

const bool hierarchical_registered = ShuffleNetworks::add<Hierarchical>(
    "hierarchical", "crossbars within groups of lanes, multiplexers between the groups");

}  // namespace
}  // namespace shflsim::model
