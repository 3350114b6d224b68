// SPDX-License-Identifier: Apache-2.0
#include "traces/replayed_launch.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "traces/warp_reader.h"

namespace shflsim::traces {
namespace {

using isa::BarrierWord;
using isa::BulkCopy;

constexpr size_t kPartOfSteps = 256;

bool is_wait_for_cluster(const isa::CodeLine& line) {
  return line.name.find("_WAIT") != std::string::npos;
}

}  // namespace

/// Delivers the steps up to one that takes effect, which is pending.
class ReplayedLaunch::Cursor final : public StepCursor {
 public:
  Cursor(ReplayedLaunch& launch, size_t warp)
      : launch_(launch), warp_(warp), steps_(launch.trace_, warp) {}
  ~Cursor() override { launch_.warp_left(warp_); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  bool advance(WarpTrace* part) override {
    part->steps.clear();
    part->addresses.clear();
    while (!is_at_end_ && part->steps.size() < kPartOfSteps) {
      const Step& step = steps_.step();
      if (launch_.takes_effect_[step.index]) {
        part->steps.push_back({step.index, step.lanes, Step::kPending});
        return true;
      }
      add(step, part);
      is_at_end_ = !steps_.next();
    }
    return !part->steps.empty();
  }

  bool perform(uint64_t now, WarpTrace* part) override {
    const Step step = steps_.step();
    const bool is_barrier = isa::is_asynchronous(launch_.trace_.code.lines[step.index].op);
    Step& front = part->steps.back();
    front.payload = Step::kNone;
    if (is_barrier && step.payload != Step::kNone) {
      const LaneAddresses row = steps_.addresses();
      if (step.lanes != 0) launch_.perform({warp_, step.index, step.lanes, &row}, now);
      front.payload = static_cast<uint32_t>(part->addresses.size());
      part->addresses.push_back(plain(step.index, row));
    } else if (is_barrier) {
      if (step.lanes != 0) launch_.perform({warp_, step.index, step.lanes, nullptr}, now);
    } else {
      part->steps.pop_back();
      add(step, part);
    }
    is_at_end_ = !steps_.next();
    if (is_at_end_) launch_.warp_done(warp_, now);
    return true;
  }

  bool is_held() const override { return launch_.is_held(warp_); }

 private:
  void add(const Step& step, WarpTrace* part) const {
    Step copy = step;
    const bool has_row =
        step.payload != Step::kNone && !launch_.trace_.code.lines[step.index].is_shuffle();
    if (has_row) {
      copy.payload = static_cast<uint32_t>(part->addresses.size());
      part->addresses.push_back(steps_.addresses());
    }
    part->steps.push_back(copy);
  }
  /// The row with only the addresses.
  LaneAddresses plain(uint32_t index, LaneAddresses row) const {
    const bool is_copy = isa::has_copy_rows(launch_.trace_.code.lines[index].op);
    for (uint64_t& word : row) {
      if (is_copy || (word >> 63) != 0) word = is_copy ? 0 : static_cast<uint32_t>(word);
    }
    return row;
  }

  ReplayedLaunch& launch_;
  const size_t warp_;
  WarpReader steps_;
  bool is_at_end_ = false;
};

ReplayedLaunch::ReplayedLaunch(const Trace& trace) : trace_(trace), place_of_(trace.blocks) {
  for (const isa::CodeLine& line : trace.code.lines)
    takes_effect_.push_back(isa::is_asynchronous(line.op) || line.is_exit());
  for (uint32_t block = 0; block < trace.blocks; ++block)
    place_of_[trace.by_cluster.empty() ? block : trace.by_cluster[block]] = block;
}

bool ReplayedLaunch::is_needed(const Trace& trace) {
  if (trace.source != nullptr && trace.source->tells_events()) return false;
  const auto& lines = trace.code.lines;
  const uint32_t warps = trace.warps_per_block();
  if (trace.warps.size() != size_t{trace.blocks} * warps) return false;
  for (size_t i = 0; i < trace.warps.size(); ++i)
    if (trace.warps[i].block != i / warps || trace.warps[i].warp != i % warps) return false;
  return std::any_of(lines.begin(), lines.end(),
                     [](const isa::CodeLine& line) { return isa::is_asynchronous(line.op); });
}

void ReplayedLaunch::begin_run(uint32_t clock_mhz, RunEvents* events, bool /*asks_bits*/) const {
  auto& self = const_cast<ReplayedLaunch&>(*this);
  if (trace_.source != nullptr) trace_.source->begin_run(clock_mhz);
  self.events_ = events;
  self.warps_.assign(trace_.warps.size(), {});
  self.blocks_.assign(trace_.blocks, {{}, trace_.warps_per_block(), false});
  self.clusters_.assign(trace_.blocks / trace_.cluster_blocks + 1, {});
}

std::unique_ptr<StepCursor> ReplayedLaunch::open(size_t warp) const {
  return std::make_unique<Cursor>(const_cast<ReplayedLaunch&>(*this), warp);
}

std::unique_ptr<StepCursor> ReplayedLaunch::open_at(size_t warp, const WarpPlace& /*place*/) const {
  return open(warp);
}

void ReplayedLaunch::fail(const Event& event, const std::string& what) const {
  const isa::CodeLine& line = trace_.code.lines[event.index];
  throw InputError("kernel '" + trace_.code.name + "': block " +
                   std::to_string(trace_.warps[event.warp].block) + ", warp " +
                   std::to_string(trace_.warps[event.warp].warp) + ", " + line.text + ": " + what);
}

void ReplayedLaunch::perform(const Event& event, uint64_t now) {
  const isa::CodeLine& line = trace_.code.lines[event.index];
  if (line.kind == isa::OpKind::kClusterBarrier) return reach_cluster(event, now);
  if (event.row == nullptr || events_ == nullptr) return;
  if (isa::has_copy_rows(line.op)) return perform_copy(event, now);
  perform_lanes(event, now);
}

/// Performs a step; lanes that do the same at one barrier do it together.
void ReplayedLaunch::perform_lanes(const Event& event, uint64_t now) {
  isa::LaneMask left = event.lanes;
  while (left != 0) {
    const auto first = static_cast<unsigned>(__builtin_ctz(left));
    const auto word = BarrierWord::unpacked((*event.row)[first]);
    if (!word.has_value()) return;
    const bool sends = word->kind >= BarrierWord::Kind::kSend4;
    isa::LaneMask same = 0;
    int64_t sum = 0;
    for (unsigned lane = first; lane < isa::kLanes; ++lane) {
      const auto other = BarrierWord::unpacked((*event.row)[lane]);
      if ((left >> lane & 1) == 0 || !other.has_value() || other->kind != word->kind) continue;
      const bool is_same = sends ? other->number == word->number && other->rank == word->rank
                                 : other->address == word->address;
      if (is_same) same |= 1u << lane;
      if (is_same) sum += other->number;
    }
    left &= ~same;
    const auto lanes = static_cast<unsigned>(__builtin_popcount(same));
    BarrierWord together = *word;
    if (sends) {
      send(event, together, lanes, now);
    } else if (trace_.code.lines[event.index].kind == isa::OpKind::kSharedCheck) {
      check(event, together);
    } else {
      if (sum > BarrierWord::kMostNumber) fail(event, "damaged: more than a barrier counts");
      together.number = static_cast<uint32_t>(sum);
      arrive(event, together, lanes, now);
    }
  }
}

void ReplayedLaunch::arrive(const Event& event, const BarrierWord& word, unsigned lanes,
                            uint64_t now) {
  isa::BarrierChange each = word.change();
  if (word.kind == BarrierWord::Kind::kArrivalWithBytes ||
      word.kind == BarrierWord::Kind::kLeavingWithBytes)
    each.arrivals = lanes;
  const uint32_t own = trace_.warps[event.warp].block;
  const bool is_behind_loads =
      word.kind == BarrierWord::Kind::kAfterLoads || word.kind == BarrierWord::Kind::kByteOfLoads;
  if (!word.has_rank && !is_behind_loads)
    return change(event, own, word.offset(), each, word.leaves(), now);
  if (each.arrivals == 0 && each.bytes == 0) return;
  BulkCopy copy;
  copy.way = is_behind_loads ? BulkCopy::Way::kAfterLoads : BulkCopy::Way::kArrival;
  copy.change = each;
  const uint32_t block = word.has_rank ? block_at(own, word.rank, event) : own;
  copy.receivers.push_back({block, word.offset()});
  begin_copy(event, copy, now);
}

void ReplayedLaunch::send(const Event& event, const BarrierWord& word, unsigned lanes,
                          uint64_t now) {
  BulkCopy copy;
  copy.way = BulkCopy::Way::kToCluster;
  copy.is_sent = true;
  copy.reduces = trace_.code.lines[event.index].op == isa::Op::kSm70_REDAS;
  copy.bytes = word.bytes_sent() * lanes;
  copy.change.bytes = -int64_t{copy.bytes};
  const uint32_t own = trace_.warps[event.warp].block;
  copy.receivers.push_back({block_at(own, word.rank, event), word.number * 8});
  begin_copy(event, copy, now);
}

/// A lane that saw its phase end, or gave up waiting for it, waits until the phase ends.
void ReplayedLaunch::check(const Event& event, const BarrierWord& word) {
  const Phase phase{word.offset(), word.number != 0};
  if (word.kind == BarrierWord::Kind::kNotOver) return;
  if (is_over(trace_.warps[event.warp].block, phase)) return;
  WarpState& warp = warps_[event.warp];
  warp.phases.push_back(phase);
  warp.may_give_up = word.kind == BarrierWord::Kind::kGivenUp;
}

bool ReplayedLaunch::is_over(uint32_t block, const Phase& phase) const {
  const auto found = blocks_[block].barriers.find(phase.offset);
  return found != blocks_[block].barriers.end() && found->second.parity != phase.parity;
}

uint32_t ReplayedLaunch::block_at(uint32_t block, uint32_t rank, const Event& event) const {
  const uint32_t blocks = trace_.cluster_blocks;
  if (rank >= blocks) fail(event, "damaged: a block that its cluster does not have");
  const uint32_t place = cluster_of(block) * blocks + rank;
  return trace_.by_cluster.empty() ? place : trace_.by_cluster[place];
}

void ReplayedLaunch::perform_copy(const Event& event, uint64_t now) {
  const auto row = isa::CopyRow::unpacked(*event.row);
  if (!row.has_value()) return;
  const uint32_t own = trace_.warps[event.warp].block;
  if (!row->is_copy) {
    blocks_[own].barriers.insert_or_assign(row->offset, isa::SharedBarrier(row->word));
    return release_waiters(own, now);
  }
  BulkCopy copy = row->copy;
  for (uint32_t rank = 0; rank < kMostClusterBlocks; ++rank) {
    if ((row->ranks >> rank & 1u) != 0)
      copy.receivers.push_back({block_at(own, rank, event), row->offset});
  }
  begin_copy(event, copy, now);
}

void ReplayedLaunch::begin_copy(const Event& event, BulkCopy copy, uint64_t now) {
  copy.number = copies_++;
  copy.block = trace_.warps[event.warp].block;
  copy.warp = trace_.warps[event.warp].warp;
  copy.index = event.index;
  events_->copy_began(event.warp, copy, now);
}

void ReplayedLaunch::change(const Event& event, uint32_t block, uint32_t offset,
                            const isa::BarrierChange& change, bool leaves, uint64_t now) {
  const auto found = blocks_[block].barriers.find(offset);
  if (found == blocks_[block].barriers.end())
    fail(event, "a barrier that the trace does not initialise");
  isa::SharedBarrier& barrier = found->second;
  const int64_t bytes = barrier.bytes + change.bytes;
  if (change.arrivals > barrier.pending || std::llabs(bytes) > isa::SharedBarrier::kMostBytes)
    fail(event,
         "more arrivals or bytes than its barrier waits for; expected a trace whose waits "
         "do not depend on the machine");
  if (leaves) barrier.arrivals -= static_cast<uint32_t>(change.arrivals);
  barrier.pending -= static_cast<uint32_t>(change.arrivals);
  barrier.bytes = static_cast<int32_t>(bytes);
  barrier.end_phase_if_complete();
  release_waiters(block, now);
}

/// Releases the warps of the block whose phases have ended.
void ReplayedLaunch::release_waiters(uint32_t block, uint64_t now) {
  const size_t first = first_warp(block);
  for (size_t warp = first; warp < first + trace_.warps_per_block(); ++warp) {
    std::vector<Phase>& phases = warps_[warp].phases;
    if (phases.empty()) continue;
    phases.erase(std::remove_if(phases.begin(), phases.end(),
                                [&](const Phase& phase) { return is_over(block, phase); }),
                 phases.end());
    if (phases.empty()) events_->released(warp, now);
  }
}

void ReplayedLaunch::end_copy(const BulkCopy& copy, uint64_t now) const {
  auto& self = const_cast<ReplayedLaunch&>(*this);
  const Event event{first_warp(copy.block) + copy.warp, copy.index, 1, nullptr};
  for (const BulkCopy::Receiver& receiver : copy.receivers) {
    if (blocks_[receiver.block].is_gone) continue;
    if (copy.way != BulkCopy::Way::kCluster) {
      self.change(event, receiver.block, receiver.offset, copy.change, false, now);
      continue;
    }
    const uint32_t number = cluster_of(receiver.block);
    self.clusters_[number] = {0, clusters_[number].phases + 1, false};
    for (uint32_t rank = 0; rank < trace_.cluster_blocks; ++rank) {
      const size_t first = first_warp(block_at(receiver.block, rank, event));
      for (size_t warp = first; warp < first + trace_.warps_per_block(); ++warp) {
        if (std::exchange(self.warps_[warp].waits_for_cluster, false)) events_->released(warp, now);
      }
    }
  }
}

void ReplayedLaunch::give_up(size_t warp, uint64_t now) const {
  WarpState& waiting = const_cast<ReplayedLaunch&>(*this).warps_[warp];
  if (!waiting.may_give_up || waiting.phases.empty()) return;
  waiting.phases.clear();
  events_->released(warp, now);
}

void ReplayedLaunch::reach_cluster(const Event& event, uint64_t now) {
  const uint32_t block = trace_.warps[event.warp].block;
  WarpState& warp = warps_[event.warp];
  ClusterState& cluster = clusters_[cluster_of(block)];
  if (is_wait_for_cluster(trace_.code.lines[event.index])) {
    warp.waits_for_cluster = warp.cluster_arrivals > cluster.phases;
    return;
  }
  warp.cluster_arrivals = cluster.phases + 1;
  ++cluster.arrived;
  end_cluster_if_complete(block, now);
}

/// Ends the phase of a cluster when all warps arrived; warps that have ended count as arrived.
void ReplayedLaunch::end_cluster_if_complete(uint32_t block, uint64_t now) {
  ClusterState& cluster = clusters_[cluster_of(block)];
  if (cluster.is_ending || events_ == nullptr) return;
  const Event event{first_warp(block), 0, 1, nullptr};
  uint32_t there = block;
  for (uint32_t rank = trace_.cluster_blocks; rank-- != 0;) {
    const uint32_t other = block_at(block, rank, event);
    if (blocks_[other].is_gone) continue;
    there = other;
    const size_t first = first_warp(other);
    for (size_t warp = first; warp < first + trace_.warps_per_block(); ++warp) {
      if (!warps_[warp].is_done && warps_[warp].cluster_arrivals <= cluster.phases) return;
    }
  }
  cluster.is_ending = true;
  BulkCopy copy;
  copy.way = BulkCopy::Way::kCluster;
  copy.receivers.push_back({there, 0});
  begin_copy({first_warp(there), 0, 1, nullptr}, copy, now);
}

void ReplayedLaunch::warp_done(size_t warp, uint64_t now) {
  warps_[warp].is_done = true;
  const uint32_t block = trace_.warps[warp].block;
  if (clusters_[cluster_of(block)].arrived != 0) end_cluster_if_complete(block, now);
}

/// A run that ends early leaves warps that are not done.
void ReplayedLaunch::warp_left(size_t warp) {
  if (warps_.empty() || !warps_[warp].is_done) return;
  BlockState& block = blocks_[trace_.warps[warp].block];
  block.is_gone = --block.left == 0;
}

Trace replayed(const Trace& trace) {
  Trace out;
  out.code = trace.code;
  out.blocks = trace.blocks;
  out.threads_per_block = trace.threads_per_block;
  out.shared_bytes = trace.shared_bytes;
  for (const WarpTrace& warp : trace.warps)
    out.warps.push_back({warp.block, warp.warp, warp.start, {}, {}});
  out.is_cooperative = trace.is_cooperative;
  out.cluster_blocks = trace.cluster_blocks;
  out.by_cluster = trace.by_cluster;
  out.source = std::make_shared<ReplayedLaunch>(trace);
  return out;
}

}  // namespace shflsim::traces
