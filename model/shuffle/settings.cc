// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/settings.h"

#include <algorithm>
#include <stdexcept>

namespace shflsim::model {
namespace {

constexpr uint32_t kNoSource = 64;  ///< no lane's value: beyond the 64 lanes of a mask

uint64_t only(uint32_t source) { return source < kNoSource ? uint64_t{1} << source : 0; }

bool is_mux(const Node& node) { return !node.clocked && !node.inputs.empty(); }

}  // namespace

DataPath::DataPath(const Wiring& wiring, uint32_t initial)
    : wiring_(std::make_shared<Wiring>(wiring)), values_(wiring.nodes().size(), initial) {}

std::vector<uint32_t> DataPath::pass(const std::vector<uint32_t>& lanes,
                                     const std::vector<uint8_t>& selects) {
  const std::vector<Node>& nodes = wiring_->nodes();
  std::copy_n(lanes.begin(), wiring_->inputs().size(), values_.begin());
  for (size_t wire = 0; wire < nodes.size(); ++wire) {
    if (!is_mux(nodes[wire])) continue;
    const std::vector<Wire>& inputs = nodes[wire].inputs;
    values_[wire] =
        values_[inputs[std::min<size_t>(selects[nodes[wire].group], inputs.size() - 1)]];
  }
  std::vector<uint32_t> arrived;
  arrived.reserve(wiring_->outputs().size());
  for (const Wire output : wiring_->outputs()) arrived.push_back(values_[output]);

  std::vector<uint32_t> next = values_;
  for (size_t wire = 0; wire < nodes.size(); ++wire) {
    if (nodes[wire].clocked) next[wire] = values_[nodes[wire].inputs.front()];
  }
  values_ = std::move(next);
  return arrived;
}

/// The settings of a pass while they are found, from the outputs back to the inputs.
struct SettingsSolver::Attempt {
  std::vector<Carried> carried;
  std::vector<uint32_t> needed;  ///< by wire: source of the value that it must carry, or kNoSource
  std::vector<uint8_t> selects;
};

SettingsSolver::SettingsSolver(const Wiring& wiring)
    : wiring_(wiring), empty_(wiring, kNoSource), members_(wiring.groups()) {
  for (size_t wire = 0; wire < wiring_.nodes().size(); ++wire) {
    const Node& node = wiring_.nodes()[wire];
    holds_ = holds_ || node.clocked;
    if (!is_mux(node)) continue;
    members_[node.group].push_back(static_cast<Wire>(wire));
    if (node.port != kNoPort) wire_of_port_[node.port] = static_cast<Wire>(wire);
  }
}

/// The values that a wire may carry: for a lane its own, for a register the one that it holds, for
/// a port that of the pass, else those of its inputs, or of the input that it must take.
std::vector<SettingsSolver::Carried> SettingsSolver::carried(
    const Pass& pass, const DataPath& path, const std::map<unsigned, uint8_t>& forced) const {
  const std::vector<Node>& nodes = wiring_.nodes();
  std::vector<Carried> carried(nodes.size());
  for (const PortUse& use : pass.uses) {
    const auto wire = wire_of_port_.find(use.port);
    if (wire != wire_of_port_.end()) carried[wire->second] = only(use.source);
  }
  for (size_t wire = 0; wire < nodes.size(); ++wire) {
    const Node& node = nodes[wire];
    if (node.clocked) {
      carried[wire] = only(path.value(static_cast<Wire>(wire)));
    } else if (node.inputs.empty()) {
      carried[wire] = only(static_cast<uint32_t>(wire));
    } else if (node.port == kNoPort) {
      const auto select = forced.find(node.group);
      if (select != forced.end()) {
        carried[wire] = carried[node.inputs[select->second]];
      } else {
        for (const Wire input : node.inputs) carried[wire] |= carried[input];
      }
    }
  }
  return carried;
}

/// Lets the group take input `select`, if that is right for all its needed multiplexers.
bool SettingsSolver::take(unsigned group, uint8_t select, Attempt* attempt) const {
  const auto fits = [&](Wire wire) {
    const uint32_t source = attempt->needed[wire];
    const std::vector<Wire>& inputs = wiring_.nodes()[wire].inputs;
    if (source == kNoSource) return true;
    if (select >= inputs.size()) return false;
    const uint32_t already = attempt->needed[inputs[select]];
    return (attempt->carried[inputs[select]] & only(source)) != 0 &&
           (already == kNoSource || already == source);
  };
  if (!std::all_of(members_[group].begin(), members_[group].end(), fits)) return false;
  attempt->selects[group] = select;
  for (const Wire wire : members_[group]) {
    const uint32_t source = attempt->needed[wire];
    if (source != kNoSource) attempt->needed[wiring_.nodes()[wire].inputs[select]] = source;
  }
  return true;
}

bool SettingsSolver::choose(unsigned group, const std::map<unsigned, uint8_t>& forced,
                            Attempt* attempt) const {
  const auto force = forced.find(group);
  if (force != forced.end()) return take(group, force->second, attempt);
  size_t ways = 1;
  for (const Wire wire : members_[group]) {
    ways = std::max(ways, wiring_.nodes()[wire].inputs.size());
  }
  for (size_t select = 0; select < ways; ++select) {
    if (take(group, static_cast<uint8_t>(select), attempt)) return true;
  }
  return false;
}

/// If the lowest selects of later groups leave a group no select that is right for all of its
/// multiplexers, the group is tried with each select from the start; empty if none is possible.
std::vector<uint8_t> SettingsSolver::selects(const Pass& pass, const DataPath& path,
                                             std::map<unsigned, uint8_t>* forced) const {
  Attempt attempt;
  attempt.carried = carried(pass, path, *forced);
  attempt.needed.assign(wiring_.nodes().size(), kNoSource);
  attempt.selects.assign(wiring_.groups(), 0);
  for (const PortUse& use : pass.uses) {
    const auto wire = wire_of_port_.find(use.port);
    if (wire != wire_of_port_.end()) attempt.needed[wire->second] = use.source;
  }
  for (const Delivery& delivery : pass.deliveries) {
    const Wire output = wiring_.outputs()[delivery.lane];
    if ((attempt.carried[output] & only(delivery.source)) == 0) return {};
    attempt.needed[output] = delivery.source;
  }
  for (unsigned group = wiring_.groups(); group-- > 0;) {
    if (choose(group, *forced, &attempt)) continue;
    if (forced->count(group) != 0) return {};
    const size_t ways = wiring_.nodes()[members_[group].front()].inputs.size();
    for (size_t select = 0; select < ways; ++select) {
      (*forced)[group] = static_cast<uint8_t>(select);
      std::vector<uint8_t> found = selects(pass, path, forced);
      if (!found.empty()) return found;
    }
    forced->erase(group);
    return {};
  }
  return attempt.selects;
}

std::vector<Settings> SettingsSolver::solve(const Schedule& schedule) const {
  std::vector<Settings> settings;
  DataPath path = empty_;
  std::vector<uint32_t> lanes;
  for (const Wire lane : wiring_.inputs()) lanes.push_back(lane);
  for (const Pass& pass : schedule.passes) {
    Settings of_pass;
    of_pass.selects.assign(wiring_.groups(), 0);
    if (!pass.through_memory && wiring_.groups() > 0) {
      std::map<unsigned, uint8_t> forced;
      of_pass.selects = selects(pass, path, &forced);
      if (of_pass.selects.empty()) {
        throw std::logic_error("shuffle network: no setting of its wires delivers a pass");
      }
    }
    if (!pass.through_memory) {
      for (const Delivery& delivery : pass.deliveries)
        of_pass.enables |= isa::WideMask{1} << delivery.lane;
    }
    if (holds_) path.pass(lanes, of_pass.selects);
    settings.push_back(of_pass);
  }
  return settings;
}

}  // namespace shflsim::model
