// SPDX-License-Identifier: Apache-2.0
#include "report/run/occupancy.h"

#include <fmt/format.h>

#include "report/terminal/text_table.h"

namespace shflsim::report {
namespace {

using model::BlockLimit;
using model::Occupancy;

const Occupancy& of(const Run& run) { return run.result.occupancy; }

bool is_known(const Run& run) { return of(run).max_warps != 0; }

std::vector<BlockLimit> all_limits() {
  std::vector<BlockLimit> limits;
  for (size_t i = 0; i < model::kBlockLimits; ++i) limits.push_back(static_cast<BlockLimit>(i));
  return limits;
}

std::optional<uint64_t> blocks_by(const Run& run, BlockLimit limit) {
  const uint32_t blocks = of(run).by(limit);
  if (blocks == Occupancy::kUnlimited) return {};
  return blocks;
}

/// The limits that allow the fewest blocks.
std::vector<std::string> limited_by(const Run& run) {
  std::vector<std::string> names;
  for (const BlockLimit limit : all_limits()) {
    if (is_known(run) && of(run).by(limit) == of(run).resident_blocks())
      names.emplace_back(block_limit_name(limit));
  }
  return names;
}

double active_warps(const Run& run) {
  const double cycles = static_cast<double>(run.result.cycles) * run.result.sms;
  return cycles == 0 ? 0.0 : static_cast<double>(run.result.warp_cycles) / cycles;
}

Value share(const Run& run, double warps) {
  return is_known(run) ? Value(warps / of(run).max_warps) : Value();
}

uint64_t resident_warps(const Run& run) { return is_known(run) ? of(run).resident_warps() : 0; }

const char* help_of(BlockLimit limit) {
  switch (limit) {
    case BlockLimit::kRegisters: return "Blocks that its registers have room for.";
    case BlockLimit::kSharedMemory:
      return "Blocks that its shared memory has room for; null where they need none.";
    case BlockLimit::kWarps: return "Blocks that its warp slots have room for.";
    case BlockLimit::kBlocks: return "Blocks that it holds at most.";
    case BlockLimit::kBarriers:
      return "Blocks that its barriers are enough for; null where they are not counted.";
    case BlockLimit::kLaunch: break;
  }
  return "Blocks that the grid has for an SM.";
}

Fields<Run> make_fields() {
  Fields<Run> fields = {
      {"max_warps", "warps", "Warps that an SM can hold.",
       [](const Run& run) { return uint64_t{of(run).max_warps}; }},
      {"theoretical_active_warps", "warps", "Warps of this launch that are resident at a time.",
       resident_warps},
      {"theoretical_occupancy", "fraction", "Their part of the warps that an SM can hold.",
       [](const Run& run) { return share(run, static_cast<double>(resident_warps(run))); }},
      {"achieved_active_warps", "warps", "Resident warps of an SM, mean over the run's cycles.",
       active_warps},
      {"achieved_occupancy", "fraction", "Their part of the warps that an SM can hold.",
       [](const Run& run) { return share(run, active_warps(run)); }},
      {"limited_by", "", "The limits of the blocks of an SM that are smallest, by name.",
       limited_by},
  };
  for (const BlockLimit limit : all_limits())
    fields.push_back({std::string("block_limit_") + block_limit_name(limit), "blocks",
                      help_of(limit), [limit](const Run& run) { return blocks_by(run, limit); }});
  return fields;
}

std::string in_words(BlockLimit limit) {
  if (limit == BlockLimit::kLaunch) return "the launch's own size";
  return limit == BlockLimit::kSharedMemory ? "shared memory" : block_limit_name(limit);
}

std::string limits_text(const Run& run) {
  std::string smallest;
  for (const BlockLimit limit : all_limits()) {
    if (of(run).by(limit) == of(run).resident_blocks())
      smallest += (smallest.empty() ? "" : " and ") + in_words(limit);
  }
  return smallest;
}

}  // namespace

const Fields<Run>& occupancy() {
  static const Fields<Run> fields = make_fields();
  return fields;
}

void write_occupancy(std::ostream& out, const Run& run) {
  if (!is_known(run)) return;
  const double most = of(run).max_warps;
  out << '\n' << painted(out, Paint::kHeading, "Occupancy") << '\n';
  write_wrapped(
      out, fmt::format("{} of {} warps can be resident in an SM ({:.1f}%), limited by {}; {:.1f} "
                       "are on average ({:.1f}%).",
                       resident_warps(run), of(run).max_warps,
                       100 * static_cast<double>(resident_warps(run)) / most, limits_text(run),
                       active_warps(run), 100 * active_warps(run) / most));
  std::string blocks;
  for (const BlockLimit limit : all_limits()) {
    const std::optional<uint64_t> its = blocks_by(run, limit);
    if (its) blocks += fmt::format("{}{} by {}", blocks.empty() ? "" : ", ", *its, in_words(limit));
  }
  write_wrapped(out, fmt::format("Blocks of {} warps: {}.", of(run).warps_per_block, blocks));
}

}  // namespace shflsim::report
