// SPDX-License-Identifier: Apache-2.0
#include "model/sm/held_warps.h"

#include <algorithm>

namespace shflsim::model {
namespace {

bool starts_copies(const isa::Code& code) {
  return std::any_of(code.lines.begin(), code.lines.end(),
                     [](const isa::CodeLine& line) { return line.kind == isa::OpKind::kBulkCopy; });
}

}  // namespace

HeldWarps::HeldWarps(const sc_core::sc_module_name& name, const CopyEngineParams& params,
                     const ClusterParams& cluster, unsigned sm, uint32_t dram_latency,
                     const traces::Trace& trace)
    : params_(params),
      trace_(trace),
      has_copies_(starts_copies(trace.code)),
      engine_(name, params, cluster, sm, dram_latency, trace.warps_per_block()),
      holds_(kSlots) {}

unsigned HeldWarps::slot_of(size_t warp) const {
  const auto found = std::find_if(holds_.begin(), holds_.end(),
                                  [warp](const Hold& hold) { return hold.warp == warp; });
  return static_cast<unsigned>(found - holds_.begin());
}

void HeldWarps::hold(unsigned sm_slot, isa::OpKind at, Cycle now) {
  Hold& hold = holds_[sm_slot];
  hold.is_held = true;
  hold.at = at;
  hold.since = now;
  if (at == isa::OpKind::kClusterBarrier) return;
  limits_.push_back({now + params_.wait_limit, sm_slot});
  due_ = std::min(due_, limits_.back().cycle);
}

void HeldWarps::release(size_t warp) {
  const unsigned sm_slot = slot_of(warp);
  if (!holds_[sm_slot].is_held) return;
  holds_[sm_slot].is_held = false;
  releases_.push_back(sm_slot);
}

Cycle HeldWarps::begin_copy(const isa::BulkCopy& copy, Cycle now) {
  const Cycle read = engine_.begin(copy, now);
  due_ = std::min(due_, engine_.due());
  return read;
}

void HeldWarps::end_copies(Cycle now) {
  while (engine_.due() <= now) trace_.source->end_copy(engine_.take(), now);
  while (!limits_.empty() && limits_.front().cycle <= now) {
    const Limit limit = limits_.front();
    limits_.pop_front();
    const Hold& hold = holds_[limit.sm_slot];
    const bool is_same = hold.since + params_.wait_limit == limit.cycle;
    if (hold.is_held && is_same) trace_.source->give_up(hold.warp, now);
  }
  due_ = std::min(engine_.due(), limits_.empty() ? kNever : limits_.front().cycle);
}

/// The end of a phase of a cluster's barrier has its own time behind it.
std::vector<HeldWarps::Release> HeldWarps::take_releases(Cycle now) {
  std::vector<Release> all;
  for (const unsigned sm_slot : releases_) {
    const bool is_cluster = holds_[sm_slot].at == isa::OpKind::kClusterBarrier;
    all.push_back({sm_slot, now + (is_cluster ? 1 : params_.wake)});
  }
  releases_.clear();
  return all;
}

}  // namespace shflsim::model
