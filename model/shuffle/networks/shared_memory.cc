// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/routing.h"

namespace shflsim::model {
namespace {

/// Emulation without a network: every executing lane stores its value to shared memory, then loads
/// its source lane's value. A bank serves one word per wavefront, to any number of lanes.
///   passes = store wavefronts (max lanes in a bank) + load wavefronts (max distinct sources in a
///   bank)
///          = 1 + 1 with one bank per lane                          (docs/sources.md, "Passes")
///
/// Cost: none beyond shared memory (docs/sources.md, "Cost"); all counts are 0.
class SharedMemoryNetwork : public ShuffleNetwork {
 public:
  struct Params {
    uint32_t banks = 0;
    void list(ParameterList& list) {
      list.number("shuffle.shared_memory.banks", &banks, 1, 64, "banks", "banks of shared memory")
          .step = Step::kDoubling;
    }
  };

  SharedMemoryNetwork(const Params& params, unsigned) : banks_(params.banks) {}

  unsigned ports() const override { return banks_; }
  std::string port_name(unsigned port) const override {
    return "shared-memory bank " + std::to_string(port);
  }
  Wiring wiring() const override { return {}; }

 protected:
  Schedule plan(const std::vector<Request>& all) const override {
    if (all.empty()) return {};
    Schedule schedule;
    std::vector<unsigned> stored(banks_);
    for (const Request& request : all) {
      const unsigned bank = request.lane % banks_;
      schedule.pass(stored[bank]++).carry(bank, request.lane);
    }
    Schedule loads = serialise_groups(
        all, 1, [this](const Request& request) { return request.source % banks_; });
    for (Pass& load : loads.passes) load.through_memory = true;
    schedule.passes.insert(schedule.passes.end(), loads.passes.begin(), loads.passes.end());
    return schedule;
  }

 private:
  unsigned banks_;
};

const bool shared_memory_registered = ShuffleNetworks::add<SharedMemoryNetwork>(
    "shared_memory", "no network: stores to shared memory and loads from it");

}  // namespace
}  // namespace shflsim::model
