// SPDX-License-Identifier: Apache-2.0
#include "isa/families/lane_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "isa/base/input_error.h"

namespace shflsim::isa {
namespace {

std::vector<LaneFamily>& lane_family_table() {
  static std::vector<LaneFamily> families;
  return families;
}

bool has_operation(const LaneFamily& family, const std::string& name) {
  return std::find(family.operations.begin(), family.operations.end(), name) !=
         family.operations.end();
}

void check_lanes(const LaneFamily& family, const LaneContext& context) {
  const auto& counts = family.lane_counts;
  if (std::find(counts.begin(), counts.end(), context.lanes) != counts.end()) return;
  throw InputError(fmt::format("{} lanes of {}; expected {}", context.lanes, family.name,
                               fmt::join(counts, ", ")));
}

/// Cycles of a part; a part without a published cost counts as more expensive than all others.
double cycles_of(const LanePart& part) {
  constexpr double kUnpublished = 1000;
  return part.instruction.cost.cycles > 0 ? part.instruction.cost.cycles : kUnpublished;
}

std::vector<LanePart> parts_of(const LaneFamily& family, const LaneMove& wanted, WideMask active) {
  std::vector<LanePart> parts;
  for (const LaneCandidate& candidate : family.candidates(wanted)) {
    LaneContext context{wanted.lanes, active, candidate.registers};
    LanePart part{family.read(LaneText(candidate.text), context), candidate};
    if (part.instruction.steps.size() == 1) parts.push_back(std::move(part));
  }
  return parts;
}

bool is_simple(const LaneMove& move) {
  return move.results == 1 && move.operands == 1 && move.bits == 32;
}

/// The cheapest pair of parts that does the move for less than `limit` cycles.
std::vector<LanePart> cheapest_pair(const std::vector<LanePart>& parts, const LaneMove& wanted,
                                    double limit) {
  std::vector<LanePart> best;
  for (const LanePart& first : parts) {
    if (!is_simple(first.instruction.steps[0])) continue;
    for (const LanePart& second : parts) {
      const double cycles = cycles_of(first) + cycles_of(second);
      if (cycles >= limit || !is_simple(second.instruction.steps[0])) continue;
      for (const bool chained : {true, false}) {
        if (cycles >= limit ||
            !after(first.instruction.steps[0], second.instruction.steps[0], chained).does(wanted))
          continue;
        best = {first, second};
        best[1].chained = chained;
        limit = cycles;
      }
    }
  }
  return best;
}

}  // namespace

bool LaneFamilies::add(const LaneFamily& family) {
  std::vector<LaneFamily>& table = lane_family_table();
  const auto behind = std::find_if(table.begin(), table.end(), [&](const LaneFamily& other) {
    return other.name > family.name;
  });
  table.insert(behind, family);
  return true;
}

const std::vector<LaneFamily>& LaneFamilies::all() { return lane_family_table(); }

std::vector<std::string> LaneFamilies::names() {
  std::vector<std::string> names;
  for (const LaneFamily& family : all()) names.push_back(family.name);
  return names;
}

const LaneFamily& LaneFamilies::named(const std::string& name, const std::string& option) {
  for (const LaneFamily& family : all()) {
    if (family.name == name) return family;
  }
  throw InputError(option + ": no family of lane operations '" + name + "'" +
                   suggestion(name, names()));
}

std::vector<const LaneFamily*> LaneFamilies::with_operation(const std::string& text) {
  std::vector<const LaneFamily*> families;
  if (text.find_first_not_of(" \t\n,") == std::string::npos) return families;
  const std::string operation = LaneText(text).operation();
  for (const LaneFamily& family : all()) {
    if (has_operation(family, operation)) families.push_back(&family);
  }
  return families;
}

ReadLaneInstruction read_lane_instruction(const std::vector<const LaneFamily*>& families,
                                          const std::string& text, LaneContext context) {
  const LaneText parts(text);
  const unsigned asked = context.lanes;
  std::optional<InputError> first;
  for (const LaneFamily* family : families) {
    try {
      context.lanes = asked == 0 ? family->lane_counts.front() : asked;
      check_lanes(*family, context);
      if (!has_operation(*family, parts.operation())) parts.reject_operation(family->operations);
      context.active &= all_lanes_of(context.lanes);
      return {family, family->read(parts, context)};
    } catch (const InputError& error) {
      if (!first) first = error;
    }
  }
  if (first) throw InputError(*first);
  throw InputError("'" + text + "' is no lane operation of any family");
}

std::vector<LanePart> cheapest_sequence(const LaneFamily& family, const LaneMove& wanted,
                                        WideMask active) {
  check_lanes(family, {wanted.lanes, active, {}});
  const std::vector<LanePart> parts = parts_of(family, wanted, active);
  std::vector<LanePart> best;
  double limit = 1e9;
  for (const LanePart& part : parts) {
    if (cycles_of(part) >= limit || !part.instruction.steps[0].does(wanted)) continue;
    best = {part};
    limit = cycles_of(part);
  }
  if (!is_simple(wanted)) return best;
  const std::vector<LanePart> pair = cheapest_pair(parts, wanted, limit);
  return pair.empty() ? best : pair;
}

}  // namespace shflsim::isa
