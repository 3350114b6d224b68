// SPDX-License-Identifier: Apache-2.0
#include "sweep/what_if.h"

#include <algorithm>
#include <array>

#include "isa/lanes/lane_map.h"
#include "model/run.h"
#include "sweep/jobs.h"

namespace shflsim::sweep {
namespace {

using report::WhatIf;

/// The values of a machine by key.
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

/// Half the lanes per cycle. If SHFLs take several passes, which move fewer lanes anyway: twice the
/// cycles from pass to pass.
WhatIf half_rate(const Values& machine, bool has_conflicts) {
  const uint32_t lanes = machine.number("shuffle.lanes");
  if (lanes > 1 && !has_conflicts)
    return {"at half rate", {setting("shuffle.lanes", lanes / 2)}, {}, ""};
  const uint32_t interval = machine.number("shuffle.interval");
  return {"at half rate", {setting("shuffle.interval", 2 * interval)}, {}, ""};
}

/// A network, its key for the number of values per pass, and the greatest value of that key.
struct PortKey {
  const char* network;
  const char* key;
  uint32_t most;
};
constexpr std::array kPortKeys = {PortKey{"banked", "shuffle.banked.ports", isa::kLanes},
                                  PortKey{"ring", "shuffle.ring.ways", 2},
                                  PortKey{"shared_memory", "shuffle.shared_memory.banks", 64}};

/// Doubles the lanes, else the ports, else the units: the first that the machine can double.
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

/// The what-if at half rate for a run without port conflicts.
WhatIf likely_what_if(const Subject& subject) {
  const std::vector<model::ConfigValue> config = model::effective_config(subject.layers);
  return half_rate(Values(config), false);
}

Job what_if_job(const Subject& subject, const WhatIf& what_if) {
  Job job{kept_by_owner(subject.trace), subject.layers, subject.sms};
  for (const std::string& setting : what_if.settings) job.layers.add_setting(setting, "--what-if");
  return job;
}

void take_outcome(const Outcome& outcome, WhatIf* what_if) {
  if (outcome.end == Outcome::End::kDone)
    what_if->cycles = outcome.result.cycles;
  else
    what_if->error = outcome.what;
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

std::unique_ptr<BegunJob> begun_what_if(const Subject& subject) {
  const std::vector<isa::CodeLine>& lines = subject.trace.code.lines;
  if (std::none_of(lines.begin(), lines.end(),
                   [](const isa::CodeLine& line) { return line.is_shuffle(); }))
    return nullptr;
  return std::make_unique<BegunJob>(what_if_job(subject, likely_what_if(subject)));
}

void take_begun(const Subject& subject, std::unique_ptr<BegunJob> begun,
                std::vector<WhatIf>* what_ifs) {
  if (begun == nullptr || what_ifs->empty()) return;
  WhatIf& first = what_ifs->front();
  if (first.settings == likely_what_if(subject).settings) take_outcome(begun->outcome(), &first);
}

void run_what_ifs(const Subject& subject, unsigned processes, std::vector<WhatIf>* what_ifs,
                  const std::function<void(size_t, size_t)>& done) {
  std::vector<WhatIf*> open;
  for (WhatIf& what_if : *what_ifs) {
    if (!what_if.cycles && what_if.error.empty()) open.push_back(&what_if);
  }
  const auto job = [&](size_t number) { return what_if_job(subject, *open[number]); };
  const auto take_one = [&](size_t number, const Outcome& outcome) {
    take_outcome(outcome, open[number]);
    done(number + 1, open.size());
  };
  run_each(open.size(), processes, job, take_one);
}

}  // namespace shflsim::sweep
