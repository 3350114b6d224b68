// SPDX-License-Identifier: Apache-2.0
#include "report/time/path_bounds.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>

namespace shflsim::report {

using model::Cycle;
using model::WarpState;

namespace {

/// The fraction of a wait that the unit must be busy for the wait to count as the unit's rate.
/// Units are idle for a cycle or two between requests of different sub-partitions.
constexpr double kBusy = 0.85;

/// The bound that a request's latency counts as.
Bound latency_of(const isa::CodeLine& line) {
  switch (line.pipe) {
    case isa::Pipe::kShuffle: return Bound::kShuffleLatency;
    case isa::Pipe::kShared:
      return line.is_block_barrier() ? Bound::kBarriers : Bound::kSharedMemory;
    case isa::Pipe::kGlobal: return Bound::kGlobalMemory;
    case isa::Pipe::kXu: return Bound::kSpecialFunctions;
    case isa::Pipe::kSpecial: return Bound::kSpecialRegisters;
    case isa::Pipe::kBranch: return Bound::kBranches;
    case isa::Pipe::kFrontEnd: return Bound::kOther;
    default: return Bound::kMathLatency;
  }
}

/// The bounds of the first cycle and of the further cycles in which a unit works on a request.
Bound first_of(const isa::CodeLine& line) {
  return line.is_shuffle() ? Bound::kShuffleRate : latency_of(line);
}
Bound further_of(const isa::CodeLine& line) {
  return line.pipe == isa::Pipe::kShared ? Bound::kSharedConflicts : first_of(line);
}

void add(Bound bound, Cycle cycles, BoundCycles* sum) {
  (*sum)[static_cast<size_t>(bound)] += cycles;
}

/// Distributes `cycles` by weight; the remainder goes to the greatest weight.
void add_by_weight(const std::array<uint64_t, kBounds>& weights, Cycle cycles, BoundCycles* sum) {
  const uint64_t all = std::accumulate(weights.begin(), weights.end(), uint64_t{0});
  if (all == 0) return;  // no cycles either
  Cycle rest = cycles;
  for (size_t i = 0; i < kBounds; ++i) {
    const Cycle its = cycles * weights[i] / all;
    (*sum)[i] += its;
    rest -= its;
  }
  const auto greatest = std::max_element(weights.begin(), weights.end()) - weights.begin();
  (*sum)[static_cast<size_t>(greatest)] += rest;
}

bool is_by_path(WarpState state) {
  return state == WarpState::kShortScoreboard || state == WarpState::kLongScoreboard ||
         state == WarpState::kDrain || state == WarpState::kMioThrottle ||
         state == WarpState::kLgThrottle;
}

/// The bound of a wait that does not depend on the units behind the MIO queues.
Bound bound_of(WarpState state, const isa::CodeLine* on) {
  switch (state) {
    case WarpState::kNoInstruction: return Bound::kFetch;
    case WarpState::kBranchResolving: return Bound::kBranches;
    case WarpState::kImcMiss: return Bound::kConstantMemory;
    case WarpState::kBarrier: return Bound::kBarriers;
    case WarpState::kMembar: return Bound::kGlobalMemory;
    case WarpState::kMathPipeThrottle:
    case WarpState::kGmma: return Bound::kMathPipes;
    case WarpState::kMioThrottle:
    case WarpState::kLgThrottle: return Bound::kMioQueue;
    case WarpState::kDispatchStall: return Bound::kRegisterFile;
    case WarpState::kNotSelected: return Bound::kIssueSlots;
    case WarpState::kSelected: return on != nullptr ? Bound::kIssueSlots : Bound::kOther;
    case WarpState::kWait:
      return on != nullptr && isa::is_math(on->pipe) ? Bound::kMathLatency : Bound::kOther;
    default: return Bound::kOther;
  }
}

std::string value_of(const model::RunResult& result, const char* key) {
  for (const model::ConfigValue& value : result.config) {
    if (value.key == key) return value.value;
  }
  return "";
}

}  // namespace

const char* bound_name(Bound bound) {
  constexpr const char* kNames[kBounds] = {"shuffle rate",
                                           "shuffle latency",
                                           "shared-memory conflicts",
                                           "shared memory",
                                           "global memory",
                                           "math pipes",
                                           "math latency",
                                           "issue slots",
                                           "barriers",
                                           "instruction fetch",
                                           "special functions",
                                           "special registers",
                                           "constant memory",
                                           "branches",
                                           "register file",
                                           "MIO queues",
                                           "other"};
  return kNames[static_cast<size_t>(bound)];
}

PathBounds::PathBounds(const isa::Code& code, const model::RunResult& result)
    : code_(code),
      is_one_pipe_(value_of(result, "mio.arbitration") == "shared_pipe"),
      shares_pipe_(value_of(result, "shuffle.shares_pipe") == "1") {
  for (const model::UnitStats& unit : result.units) {
    if (unit.name == "shuffle") shuffle_units_ = std::max(1u, unit.instances / result.sms);
  }
}

void PathBounds::served(uint32_t sm, uint32_t sub_partition, uint32_t index, Cycle from,
                        uint32_t hold) {
  const isa::CodeLine& line = code_.lines[index];
  services_[sm].push_back({from, std::max(1u, hold), first_of(line), further_of(line),
                           static_cast<uint8_t>(sub_partition)});
}

void PathBounds::sort() {
  for (auto& [sm, services] : services_) {
    std::stable_sort(services.begin(), services.end(),
                     [](const Service& a, const Service& b) { return a.from < b.from; });
  }
}

/// True if a request of this kind has to wait while the unit works on `service`.
bool PathBounds::is_same_unit(const Service& service, Bound kind, uint32_t sub_partition) const {
  if (is_one_pipe_) return true;
  const bool is_data =
      service.first == Bound::kShuffleRate || service.first == Bound::kSharedMemory;
  if (shares_pipe_ && is_data) return true;
  if (service.first != kind) return false;
  const uint32_t cluster = std::max(1u, model::kSubPartitions / shuffle_units_);
  return kind != Bound::kShuffleRate || service.sub_partition / cluster == sub_partition / cluster;
}

/// If the unit was busy all the time: attributes the cycles to what it worked on.
bool PathBounds::spread_if_busy(const Stretch& stretch, Bound kind, BoundCycles* sum) const {
  const auto found = services_.find(stretch.sm);
  if (found == services_.end() || stretch.to == stretch.from) return false;
  const std::vector<Service>& services = found->second;
  constexpr Cycle kLongest = 1024;  // most cycles for which one request holds a unit
  const Cycle begin = stretch.from < kLongest ? 0 : stretch.from - kLongest;
  auto each = std::lower_bound(services.begin(), services.end(), begin,
                               [](const Service& a, Cycle from) { return a.from < from; });
  Weights weights{};
  uint64_t busy = 0;
  for (; each != services.end() && each->from < stretch.to; ++each) {
    const Cycle end = each->from + each->hold;
    if (end <= stretch.from || !is_same_unit(*each, kind, stretch.sub_partition)) continue;
    const Cycle cycles = std::min(end, stretch.to) - std::max(each->from, stretch.from);
    const Cycle first = each->from >= stretch.from ? 1 : 0;
    weights[static_cast<size_t>(each->first)] += first;
    weights[static_cast<size_t>(each->further)] += cycles - first;
    busy += cycles;
  }
  if (static_cast<double>(busy) < kBusy * static_cast<double>(stretch.to - stretch.from))
    return false;
  add_by_weight(weights, stretch.to - stretch.from, sum);
  return true;
}

/// A wait in a queue: each cycle counts as the request that was served in it.
void PathBounds::spread_queue(const Stretch& stretch, Cycle from, Cycle to,
                              BoundCycles* sum) const {
  Weights weights{};
  const auto found = services_.find(stretch.sm);
  Cycle at = from;
  Bound now = Bound::kMioQueue;
  if (found != services_.end()) {
    const std::vector<Service>& services = found->second;
    auto each = std::lower_bound(services.begin(), services.end(), from,
                                 [](const Service& a, Cycle cycle) { return a.from < cycle; });
    if (each != services.begin()) {
      const Service& before = *std::prev(each);
      if (before.from + before.hold > from) now = before.further;
    }
    for (; each != services.end() && each->from < to; ++each) {
      if (!is_one_pipe_ && each->sub_partition != stretch.sub_partition) continue;
      // If units are separate, the head of a queue waits for the unit that it enters next.
      const Bound kind = is_one_pipe_ ? now : each->first;
      weights[static_cast<size_t>(kind)] += each->from - at;
      at = each->from;
      now = each->hold > 1 ? each->further : each->first;
    }
  }
  weights[static_cast<size_t>(now)] += to - at;
  add_by_weight(weights, to - from, sum);
}

void PathBounds::spread_stages(const Stretch& stretch, BoundCycles* sum) const {
  using Kind = StageTime::Kind;
  const isa::CodeLine& line = code_.lines[*stretch.on];
  const Bound latency = latency_of(line);
  Cycle rest = stretch.to - stretch.from;
  for (const StageTime& stage : stretch.stages) {
    if (stage.from >= stretch.to) break;
    const Cycle to = std::min(stage.to, stretch.to);
    const Cycle cycles = to - stage.from;
    rest -= cycles;
    switch (stage.kind) {
      case Kind::kQueue:
      case Kind::kReady:
      case Kind::kWaiting: spread_queue(stretch, stage.from, to, sum); break;
      case Kind::kOperands: add(Bound::kMioQueue, cycles, sum); break;
      case Kind::kExecute: {
        const bool has_passes = line.is_shuffle() || line.pipe == isa::Pipe::kShared;
        const Cycle first = has_passes ? std::min<Cycle>(1, cycles) : cycles;
        add(latency, first, sum);
        add(further_of(line), cycles - first, sum);
        break;
      }
      case Kind::kReturn: add(latency, cycles, sum); break;
    }
  }
  add(latency, rest, sum);
}

void PathBounds::spread(const Stretch& stretch, BoundCycles* sum) const {
  const isa::CodeLine* on = stretch.on ? &code_.lines[*stretch.on] : nullptr;
  const bool is_shared_unit = on != nullptr && isa::is_mio(on->pipe) && is_by_path(stretch.state);
  if (!is_shared_unit) {
    const bool is_of_path = is_by_path(stretch.state) && on != nullptr;
    add(is_of_path ? latency_of(*on) : bound_of(stretch.state, on), stretch.to - stretch.from, sum);
    return;
  }
  const bool has_rate = on->is_shuffle() || on->pipe == isa::Pipe::kShared;
  if (has_rate && spread_if_busy(stretch, first_of(*on), sum)) return;
  const bool is_for_room =
      stretch.state == WarpState::kMioThrottle || stretch.state == WarpState::kLgThrottle;
  if (is_for_room) return spread_queue(stretch, stretch.from, stretch.to, sum);
  spread_stages(stretch, sum);
}

}  // namespace shflsim::report
