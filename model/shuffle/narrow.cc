// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/narrow.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

namespace shflsim::model {
namespace {

constexpr uint64_t kAllLanes = 0xFFFFFFFF;

bool selects_one(const Node& node) { return !node.clocked && !node.inputs.empty(); }

unsigned levels_of(const Wiring& wiring) {
  std::vector<unsigned> levels;
  for (const Node& node : wiring.nodes()) {
    unsigned level = 0;
    if (selects_one(node)) {
      for (const Wire input : node.inputs) level = std::max(level, levels[input] + 1);
    }
    levels.push_back(level);
  }
  return levels.empty() ? 0 : *std::max_element(levels.begin(), levels.end());
}

bool all_equal(const std::vector<Wire>& wires) {
  return std::all_of(wires.begin(), wires.end(), [&](Wire wire) { return wire == wires.front(); });
}

/// `width`: less than 64.
isa::WideMask slice_mask(unsigned slice, unsigned width) {
  return isa::all_lanes_of(width) << (slice * width);
}

/// All numbers that determine the wiring of a narrow unit.
std::vector<uint32_t> numbers_of(const Wiring& whole, unsigned width) {
  std::vector<uint32_t> numbers = {width};
  for (const Node& node : whole.nodes()) {
    numbers.insert(numbers.end(), {node.place, node.clocked ? 1u : 0u, node.group,
                                   static_cast<uint32_t>(node.inputs.size())});
    numbers.insert(numbers.end(), node.inputs.begin(), node.inputs.end());
  }
  numbers.insert(numbers.end(), whole.outputs().begin(), whole.outputs().end());
  return numbers;
}

}  // namespace

unsigned slices_of(isa::LaneMask lanes, unsigned width) {
  unsigned slices = 0;
  for (unsigned slice = 0; slice * width < isa::kLanes; ++slice)
    slices += (lanes & slice_mask(slice, width)) != 0 ? 1 : 0;
  return std::max(1u, slices);
}

NarrowUnit::NarrowUnit(const Wiring& whole, unsigned width) : whole_(whole), width_(width) {
  if (whole.outputs().empty()) return;
  const unsigned levels = levels_of(whole);
  Depths best;
  uint64_t fewest = ~uint64_t{0};
  for (unsigned folded = levels + 1; folded-- > 0;) {
    for (unsigned merged = 0; folded + merged <= levels; ++merged) {
      build({folded, merged});
      if (multiplexers() >= fewest) continue;
      fewest = multiplexers();
      best = {folded, merged};
    }
  }
  build(best);
}

/// The number of 2:1 multiplexers of a word.
uint64_t NarrowUnit::multiplexers() const {
  uint64_t sum = 0;
  for (const Node& node : wiring_.nodes())
    if (selects_one(node)) sum += node.inputs.size() - 1;
  return sum;
}

void NarrowUnit::build(Depths depths) {
  depths_ = depths;
  wiring_ = Wiring(static_cast<unsigned>(whole_.inputs().size()));
  selects_.clear();
  of_groups_.clear();
  copies_.clear();
  folds_.clear();
  holds_ = false;
  for (const Wire lane : whole_.inputs()) copies_[lane] = lane;
  hold_registers();
  std::vector<Wire> outputs(whole_.outputs().size());
  for (unsigned output = 0; output < width_; ++output) {
    Lanes wires;
    for (unsigned lane = output; lane < outputs.size(); lane += width_)
      wires.push_back(whole_.outputs()[lane]);
    const Wire wire = fold(wires, depths_.folded);
    for (unsigned lane = output; lane < outputs.size(); lane += width_) outputs[lane] = wire;
  }
  drive_registers();
  wiring_.deliver(outputs);
}

void NarrowUnit::hold_registers() {
  for (size_t wire = 0; wire < whole_.nodes().size(); ++wire) {
    const Node& node = whole_.nodes()[wire];
    if (!node.clocked) continue;
    holds_ = true;
    copies_[static_cast<Wire>(wire)] = wiring_.hold(node.place);
  }
}

void NarrowUnit::drive_registers() {
  if (!holds_) return;
  step_ = wiring_.group();
  selects_.emplace_back();
  for (size_t wire = 0; wire < whole_.nodes().size(); ++wire) {
    const Node& node = whole_.nodes()[wire];
    if (!node.clocked) continue;
    const Wire held = copies_[static_cast<Wire>(wire)];
    wiring_.drive(held, wiring_.mux(step_, {held, copy(node.inputs.front())}, node.place));
  }
}

/// A copy of a wire of the whole network.
Wire NarrowUnit::copy(Wire wire) {
  const auto known = copies_.find(wire);
  if (known != copies_.end()) return known->second;
  const Node& node = whole_.nodes()[wire];
  std::vector<Wire> inputs;
  for (const Wire input : node.inputs) inputs.push_back(copy(input));
  const unsigned group = group_of({wire});
  return copies_[wire] = wiring_.mux(group, inputs, node.place);
}

bool NarrowUnit::can_fold(const Lanes& wires) const {
  const std::vector<Node>& nodes = whole_.nodes();
  return std::all_of(wires.begin(), wires.end(), [&](Wire wire) {
    return selects_one(nodes[wire]) &&
           nodes[wire].inputs.size() == nodes[wires.front()].inputs.size();
  });
}

/// One wire with the values that an output needs in each slice.
Wire NarrowUnit::fold(const Lanes& wires, unsigned levels) {
  if (all_equal(wires)) return copy(wires.front());
  const auto known = folds_.find({wires, levels});
  if (known != folds_.end()) return known->second;
  Wire folded = 0;
  if (levels == 0 || !can_fold(wires)) {
    folded = merge(wires);
  } else {
    std::vector<Wire> inputs;
    for (size_t input = 0; input < whole_.nodes()[wires.front()].inputs.size(); ++input) {
      Lanes behind;
      for (const Wire wire : wires) behind.push_back(whole_.nodes()[wire].inputs[input]);
      inputs.push_back(fold(behind, levels - 1));
    }
    const unsigned group = group_of(wires);
    folded = wiring_.mux(group, inputs, place_of(wires));
  }
  return folds_[{wires, levels}] = folded;
}

/// A multiplexer over all wires that may drive `wires`, `merged` levels before them.
Wire NarrowUnit::merge(const Lanes& wires) {
  std::set<Wire> cut(wires.begin(), wires.end());
  for (unsigned level = 0; level < depths_.merged; ++level) {
    std::set<Wire> next;
    for (const Wire wire : cut) {
      const Node& node = whole_.nodes()[wire];
      if (selects_one(node)) {
        next.insert(node.inputs.begin(), node.inputs.end());
      } else {
        next.insert(wire);
      }
    }
    cut = std::move(next);
  }
  std::vector<Wire> inputs;
  for (const Wire wire : cut) inputs.push_back(copy(wire));
  if (inputs.size() == 1) return inputs.front();
  const unsigned group = wiring_.group();
  selects_.push_back({wires, {cut.begin(), cut.end()}});
  return wiring_.mux(group, inputs, place_of(wires));
}

/// One group for all multiplexers that follow the same groups of the whole network.
unsigned NarrowUnit::group_of(const Lanes& wires) {
  std::vector<unsigned> groups;
  for (const Wire wire : wires) groups.push_back(whole_.nodes()[wire].group);
  const bool is_one = std::all_of(groups.begin(), groups.end(),
                                  [&](unsigned group) { return group == groups.front(); });
  if (is_one) groups.resize(1);
  const auto known = of_groups_.find(groups);
  if (known != of_groups_.end()) return known->second;
  const unsigned group = wiring_.group();
  selects_.push_back({wires, {}});
  if (is_one) selects_.back().wires.resize(1);
  return of_groups_[groups] = group;
}

/// The place midway between the first and the last.
unsigned NarrowUnit::place_of(const Lanes& wires) const {
  unsigned first = ~0u;
  unsigned last = 0;
  for (const Wire wire : wires) {
    first = std::min(first, whole_.nodes()[wire].place);
    last = std::max(last, whole_.nodes()[wire].place);
  }
  return (first + last) / 2;
}

/// The wire that drives `wire`, `merged` levels before it.
Wire NarrowUnit::descend(Wire wire, const std::vector<uint8_t>& selects) const {
  for (unsigned level = 0; level < depths_.merged; ++level) {
    const Node& node = whole_.nodes()[wire];
    if (!selects_one(node)) break;
    wire = node.inputs[std::min<size_t>(selects[node.group], node.inputs.size() - 1)];
  }
  return wire;
}

uint8_t NarrowUnit::select_in(const Select& select, unsigned slice, const Settings& pass) const {
  if (select.wires.empty()) return 0;
  const bool is_one = select.wires.size() == 1;
  const Wire wire = select.wires[is_one ? 0 : std::min<size_t>(slice, select.wires.size() - 1)];
  const Node& node = whole_.nodes()[wire];
  if (select.cut.empty())
    return static_cast<uint8_t>(std::min<size_t>(pass.selects[node.group], node.inputs.size() - 1));
  const Wire from = descend(wire, pass.selects);
  const auto found = std::lower_bound(select.cut.begin(), select.cut.end(), from);
  return static_cast<uint8_t>(found - select.cut.begin());
}

std::vector<Settings> NarrowUnit::settings(const Settings& pass) const {
  if (whole_.outputs().empty()) return {pass};
  std::vector<Settings> slices;
  const auto lanes = static_cast<unsigned>(whole_.outputs().size());
  for (unsigned slice = 0; slice * width_ < lanes; ++slice) {
    Settings settings;
    settings.enables = pass.enables & slice_mask(slice, width_);
    const bool is_last = (slice + 1) * width_ >= lanes;
    if (settings.enables == 0 && !(is_last && slices.empty())) continue;
    for (const Select& select : selects_)
      settings.selects.push_back(select_in(select, slice, pass));
    slices.push_back(settings);
  }
  if (holds_) slices.back().selects[step_] = 1;
  return slices;
}

Wiring narrowed(const Wiring& whole, unsigned width) {
  if (whole.outputs().empty() || width >= whole.outputs().size()) return whole;
  static std::mutex mutex;
  static std::map<std::vector<uint32_t>, Wiring> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto [found, is_new] = known.try_emplace(numbers_of(whole, width));
  if (is_new) found->second = NarrowUnit(whole, width).wiring();
  return found->second;
}

}  // namespace shflsim::model
