// SPDX-License-Identifier: Apache-2.0
#include "sweep/what_if.h"

#include <algorithm>
#include <array>

#include "isa/lanes/lane_map.h"
#include "sweep/jobs.h"

namespace shflsim::sweep {
namespace {

using report::WhatIf;

/// The values of a machine.
class Values {
 public:
  explicit Values(const std::vector<model::ConfigValue>& config) : config_(config) {}
  std::string word(const std::string& key) const {
    for (const model::ConfigValue& value : config_) {
      if (value.key == key) return value.value;
    }
    return "";
  }
  uint32_t number(const std::string& key) const {
    const std::string value = word(key);
    return value.empty() ? 0 : static_cast<uint32_t>(std::stoul(value));
  }

 private:
  const std::vector<model::ConfigValue>& config_;
};

std::string setting(const std::string& key, uint64_t value) {
  return key + "=" + std::to_string(value);
}

bool has_port_conflicts(const model::RunResult& result) {
  for (size_t i = 0; i < result.instructions.size(); ++i) {
    const uint64_t lanes = result.count("port_conflicts", i);
    if (lanes != 0 && lanes != model::StatColumn::kNone) return true;
  }
  return false;
}

/// Half the lanes a cycle; where SHFLs take several passes, which move fewer lanes anyway, twice
/// the cycles from pass to pass.
WhatIf half_rate(const Values& machine, bool has_conflicts) {
  const uint32_t lanes = machine.number("shuffle.lanes");
  if (lanes > 1 && !has_conflicts)
    return {"at half rate", {setting("shuffle.lanes", lanes / 2)}, {}, ""};
  const uint32_t interval = machine.number("shuffle.interval");
  return {"at half rate", {setting("shuffle.interval", 2 * interval)}, {}, ""};
}

/// Keys of networks that say how many values they carry in a pass, and their most.
struct PortKey {
  const char* network;
  const char* key;
  uint32_t most;
};
constexpr std::array kPortKeys = {PortKey{"banked", "shuffle.banked.ports", isa::kLanes},
                                  PortKey{"ring", "shuffle.ring.ways", 2},
                                  PortKey{"shared_memory", "shuffle.shared_memory.banks", 64}};

/// The first of lanes, ports and units of which the machine can have twice as many.
std::vector<WhatIf> twice_the_hardware(const Values& machine) {
  const uint32_t lanes = machine.number("shuffle.lanes");
  if (lanes * 2 <= isa::kLanes)
    return {{"with twice the lanes", {setting("shuffle.lanes", lanes * 2)}, {}, ""}};
  for (const PortKey& port : kPortKeys) {
    if (machine.word("shuffle.network") != port.network) continue;
    const uint32_t ports = machine.number(port.key);
    if (ports * 2 <= port.most)
      return {{"with twice the ports", {setting(port.key, ports * 2)}, {}, ""}};
  }
  const uint32_t cluster = machine.number("shuffle.cluster");
  if (cluster < 2) return {};
  WhatIf units{"with twice the units", {setting("shuffle.cluster", cluster / 2)}, {}, ""};
  if (machine.number("shuffle.shares_pipe") != 0)
    units.settings.push_back(setting("shuffle.shares_pipe", 0));
  return {units};
}

}  // namespace

std::vector<WhatIf> shuffle_what_ifs(const model::RunResult& result, uint64_t shuffles) {
  if (shuffles == 0) return {};
  const Values machine(result.config);
  const bool has_conflicts = has_port_conflicts(result);
  std::vector<WhatIf> all = {half_rate(machine, has_conflicts)};
  if (result.warp_instructions > kShortRun) return all;
  all.push_back({"at no latency", {setting("shuffle.latency", 1)}, {}, ""});
  for (WhatIf& more : twice_the_hardware(machine)) all.push_back(std::move(more));
  if (has_conflicts)
    all.push_back({"without port conflicts", {"shuffle.network=crossbar"}, {}, ""});
  return all;
}

void run_what_ifs(const Subject& subject, unsigned processes, std::vector<WhatIf>* what_ifs,
                  const std::function<void(size_t, size_t)>& done) {
  const auto job = [&](size_t number) {
    Job one{kept_by_owner(subject.trace), subject.layers, subject.sms};
    for (const std::string& setting : (*what_ifs)[number].settings)
      one.layers.add_setting(setting, "--what-if");
    return one;
  };
  const auto take = [&](size_t number, const Outcome& outcome) {
    WhatIf& what_if = (*what_ifs)[number];
    if (outcome.end == Outcome::End::kDone)
      what_if.cycles = outcome.result.cycles;
    else
      what_if.error = outcome.what;
    done(number + 1, what_ifs->size());
  };
  run_each(what_ifs->size(), processes, job, take);
}

}  // namespace shflsim::sweep
