// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/shuffle/routing.h"

namespace shflsim::model {
namespace {

/// Quad-only swizzle: each group of four lanes has a 4x4 crossbar and nothing connects the quads. A
/// SHFL whose executing lanes all read within their quads takes one pass. Any other falls back to
/// shared memory as a whole: a store and a load wavefront without conflicts (one bank per lane).
///   passes = 1, or 2 with fallback                                   (docs/sources.md, "Passes")
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"; the fallback's banks are shared memory's):
///   mux2 3N W, crosspoints 4N, levels 2; 4 tracks, 3N pitches; select bits 2N.
class Quad : public ShuffleNetwork {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  Quad(const Params&, unsigned lanes) : lanes_(lanes) {}

  unsigned ports() const override { return 2 * lanes_; }
  std::string port_name(unsigned port) const override {
    return (port < lanes_ ? "quad crossbar output " : "shared-memory bank ") +
           std::to_string(port % lanes_);
  }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    wiring.deliver(wiring.crossbars(wiring.inputs(), 4, 0));
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& all) const override {
    const bool within_quads = std::all_of(all.begin(), all.end(), [](const Request& request) {
      return request.source / 4 == request.lane / 4;
    });
    if (!within_quads) return through_shared_memory(all);
    return serialise_groups(all, 1, [](const Request& request) { return request.lane; });
  }

 private:
  Schedule through_shared_memory(const std::vector<Request>& all) const {
    Schedule schedule;
    for (const Request& request : all) {
      schedule.pass(0).carry(lanes_ + request.lane, request.lane);
      schedule.pass(1).deliver(request.lane, request.source, lanes_ + request.source);
    }
    schedule.pass(1).through_memory = true;
    return schedule;
  }

  unsigned lanes_;
};

const bool quad_registered = ShuffleNetworks::add<Quad>(
    "quad", "4x4 crossbars within the quads; other patterns go through shared memory");

}  // namespace
}  // namespace shflsim::model
