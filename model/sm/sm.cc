// SPDX-License-Identifier: Apache-2.0
#include "model/sm/sm.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "model/energy/energy.h"
#include "model/mio/shared_pipe.h"
#include "model/mio/unit_arbiter.h"

namespace shflsim::model {
namespace {

std::unique_ptr<MioArbiter> make_arbiter(const MioParams& params) {
  if (params.arbitration == "shared_pipe")
    return std::make_unique<SharedPipe>("mio_arbiter", params);
  return std::make_unique<UnitArbiter>("mio_arbiter", params);
}

/// Adds a unit to the sum of the units with its name, over all SMs.
void add_unit(const UnitStats& unit, std::vector<UnitStats>* all) {
  for (UnitStats& sum : *all) {
    if (sum.name != unit.name) continue;
    sum.instances += unit.instances;
    sum.busy += unit.busy;
    sum.operations += unit.operations;
    return;
  }
  all->push_back(unit);
}

/// A watch for an observer that follows instructions; otherwise nullptr.
std::unique_ptr<RequestWatch> make_watch(Observer* observer) {
  const bool is_asked = observer != nullptr && observer->follows_instructions();
  return is_asked ? std::make_unique<RequestWatch>(*observer) : nullptr;
}

/// Not inlined into evaluate(), because most runs have no watch.
template <typename Parts>
[[gnu::noinline]] void look(const Parts& parts, Cycle now) {
  for (const auto& part : parts) part->look(now);
}

CodeLayout layout_of(const IssueTable& table, const traces::Trace& trace, const SmParams& params) {
  return {table.facts.size(), isa::facts(trace.code.family()), params.fetch.line_bytes};
}

/// Number of an SM among those of its GPC. The TPCs go to the GPCs in turn.
uint32_t place_in_gpc(unsigned sm, const SmParams& params) {
  return sm / kSmsOfTpc / params.blocks.gpcs * kSmsOfTpc + sm % kSmsOfTpc;
}

}  // namespace

Sm::Sm(const sc_core::sc_module_name& name, unsigned number, const SmParams& params,
       const SharedRun& run)
    : Module(name),
      memory("memory"),
      place_{number, 0, run.maps},
      params_(params),
      trace_(run.trace),
      result_(run.result),
      observer_(run.observer),
      named_(params.blocks.max_warps),
      progress_(run.progress[number]),
      clock_(run.clocks[number]),
      watch_(make_watch(run.observer)),
      arbiter_(make_arbiter(params.mio)),
      shared_pipe_("shared_pipe"),
      shuffle_("shuffle", params.shuffle_in_depth(), params.network.make(),
               trace_.maps_of(run.maps)),
      shared_memory_("shared_memory", params.shared_memory),
      special_function_("special_function", params.special_function),
      special_register_("special_register", params.special_register),
      code_memory_("code_memory", params.fetch_of_launch(), layout_of(run.table, trace_, params)),
      constant_memory_("constant_memory", params.constants_of_launch(),
                       place_in_gpc(number, params)),
      global_memory_("global_memory", params.memory_of(trace_), params.cluster,
                     params.blocks.shared_bytes_of(trace_), number),
      barrier_("barrier", params.barrier, params.blocks.max_blocks),
      blocks_("blocks", params.blocks, trace_),
      held_("copy_engine", params.copy_engine, params.cluster, number,
            {std::max(params.global_memory.dram_latency, params.global_memory.latency) -
                 params.global_memory.latency,
             params.global_memory.chip.far_latency},
            trace_, run.is_ending_copy, params.network.technology().clock) {
  global_memory_.ways = held_.engine().ways = run.ways;
  global_memory_.loads_have_passes = params.mio.passes.has_loads();
  make_parts(run);
  arbiter_->keep_due_at(&progress_.arbiter);
  held_.keep_due_at(&progress_.held);
  blocks_.keep_room_at(&run.rooms[number]);
  connect();
  connect_units();
}

/// Creates the parts of which there are several.
void Sm::make_parts(const SharedRun& run) {
  const auto turns = std::make_shared<SharedTurns>();
  for (unsigned s = 0; s < kSubPartitions; ++s) {
    const std::string part = "sub_partition" + std::to_string(s);
    SubPartition::Params params = sub_partition_params(s);
    params.layout = layout_of(run.table, trace_, params_);
    params.due = &progress_.sub_partition[s];
    params.turns = turns;
    params.dispatch.outcomes = run.outcomes;
    sub_partitions_[s] =
        std::make_unique<SubPartition>(part.c_str(), params, params_.scheduler.policy.make(s),
                                       trace_.code, run.table, &run.instructions);
  }
  for (unsigned u = 0; u < shuffle_.units() && params_.shuffle.shares_pipe == 0; ++u) {
    const std::string pipe = "shuffle_pipe" + std::to_string(u);
    shuffle_pipes_.push_back(std::make_unique<InOrderPipe>(pipe.c_str()));
  }
}

SubPartition::Params Sm::sub_partition_params(unsigned number) const {
  SubPartition::Params params;
  params.fetch = params_.fetch;
  params.dependence = params_.dependence;
  params.barrier = params_.barrier;
  params.branch = params_.branch;
  params.clock_mhz = params_.network.technology().clock;
  params.fence = params_.memory_of(trace_).fence;
  params.slots = params_.blocks.max_warps / kSubPartitions;
  params.watch = watch_.get();
  params.dispatch.is_observed = watch_ != nullptr;
  Dispatch::Params& dispatch = params.dispatch;
  dispatch.sub_partition = number;
  dispatch.register_file = params_.register_file;
  dispatch.math = params_.math;
  dispatch.latencies = params_.latencies;
  dispatch.group_products = params_.group_products;
  dispatch.mio = params_.mio;
  dispatch.issues_pairs = params_.scheduler.dual_issue != 0;
  dispatch.defers_barriers = params_.barrier.deferred != 0;
  dispatch.asks_constants = params_.constant_memory.bytes != 0;
  dispatch.special_interval = params_.special_function.interval;
  dispatch.queues_special = params_.special_function.queued != 0;
  dispatch.reads_special =
      params_.special_function.next_operands != 0 && params_.mio.arbitration == "shared_pipe";
  dispatch.queues_reductions = params_.special_function.reduction_beats != 0;
  dispatch.queues_fences = params_.shared_memory.fence_latency != 0;
  dispatch.copy_issue = params_.copy_engine.issue;
  dispatch.loads_wait = params_.copy_engine.loads_wait;
  return params;
}

/// Connects the sub-partitions...
void Sm::connect() {
  for (unsigned s = 0; s < kSubPartitions; ++s) {
    SubPartition& part = *sub_partitions_[s];
    part.events.bind(*this);
    part.code.bind(code_memory_);
    part.special_function.bind(special_function_);
    part.shared_banks.bind(shared_memory_);
    part.global_memory.bind(global_memory_);
    part.constant_memory.bind(constant_memory_);
    part.arbiter.bind(*arbiter_);
    arbiter_->queue[s].bind(part.queue);
    arbiter_->back[s].bind(part.back);
    arbiter_->banks[s].bind(part.banks);
  }
}

/// ... and the units that they share.
void Sm::connect_units() {
  const auto to = [this](isa::Pipe pipe) -> MioArbiter::UnitPort& {
    return arbiter_->unit[static_cast<size_t>(pipe)];
  };
  to(isa::Pipe::kShuffle).bind(shuffle_);
  to(isa::Pipe::kShared).bind(shared_memory_);
  to(isa::Pipe::kXu).bind(special_function_);
  to(isa::Pipe::kSpecial).bind(special_register_);
  to(isa::Pipe::kGlobal).bind(global_memory_);
  global_memory_.chip.bind(memory);
  held_.engine().chip.bind(memory);
  shared_memory_.pipe.bind(shared_pipe_);
  arbiter_->watch = shuffle_.watch = shared_memory_.watch = watch_.get();
  for (unsigned s = 0; s < kSubPartitions; ++s) {
    const bool is_shared = params_.shuffle.shares_pipe != 0;
    shuffle_.pipe[s].bind(is_shared ? shared_pipe_ : *shuffle_pipes_[shuffle_.unit_of(s)]);
  }
}

/// One cycle, back to front: a stage sees the room that the next stage made in this cycle.
inline bool Sm::evaluate(Cycle now) {
  bool progress = progress_.arbiter <= now && arbiter_->evaluate(now);
  if (progress_.held <= now) {
    held_.end_copies(now);
    progress = true;
  }
  for (unsigned s = 0; s < kSubPartitions; ++s) {
    if (progress_.sub_partition[s] <= now) progress |= sub_partitions_[s]->evaluate(now);
  }
  const std::array<Cycle, kSubPartitions>& due = progress_.sub_partition;
  Cycle next = std::min(std::min(due[0], due[1]), std::min(due[2], due[3]));
  if (may_release_) next = std::min(next, release(now));
  if (watch_ != nullptr) look(sub_partitions_, now);
  progress_.due =
      std::min(progress_.held, progress_.has_warps ? std::min(next, progress_.arbiter) : kNever);
  return progress;
}

void Sm::run(Cycle now, Cycle until) {
  blocks_.watch_places();
  for (; now < std::min(until, blocks_.freed_room()); now = progress_.due) {
    clock_.now.store(now, std::memory_order_release);
    progress_.idle_cycles = evaluate(now) ? 0 : progress_.idle_cycles + 1;
  }
}

size_t Sm::launch(size_t warp, Cycle now, uint32_t rank, uint32_t cluster) {
  const unsigned place = blocks_.free_place(now);
  const uint32_t block = trace_.warps[warp].block;
  if (observer_ != nullptr) observer_->block_started(block, place_.sm, now);
  unsigned warps = 0;
  const unsigned first = blocks_.first_sub_partition();
  for (; warp < trace_.warps.size() && trace_.warps[warp].block == block; ++warp) {
    const Cycle later = Cycle{params_.blocks.warp_step} * warps;
    const unsigned sm_slot = free_slot(first + warps++);
    blocks_.put(sm_slot, place);
    global_memory_.set_rank(sm_slot, rank, cluster);
    start_warp(sm_slot, warp, later, now);
  }
  blocks_.start(place, warps, now);
  barrier_.start_block(place, warps);
  held_.groups().start_block(place, warps);
  progress_.has_warps = true;
  progress_.due = now;
  return warp;
}

/// The warp may issue `later`, after as many cycles as its trace says.
void Sm::start_warp(unsigned sm_slot, size_t warp, Cycle later, Cycle now) {
  held_.start_warp(sm_slot, warp);
  WarpStats& stats = result_.warps[warp];
  stats.block = trace_.warps[warp].block;
  stats.warp = trace_.warps[warp].warp;
  stats.sm = place_.sm;
  sub_partitions_[sm_slot % kSubPartitions]->start_warp(
      sm_slot / kSubPartitions, traces::WarpReader(trace_, warp, {place_.sm, sm_slot, place_.maps}),
      trace_.warps[warp].start + later, stats, now);
  if (observer_ != nullptr) name_warp(sm_slot, warp, now);
}

void Sm::name_warp(unsigned sm_slot, size_t warp, Cycle now) {
  ResidentWarp who;
  who.index = static_cast<uint32_t>(warp);
  who.block = trace_.warps[warp].block;
  who.warp = trace_.warps[warp].warp;
  who.sm = place_.sm;
  who.sub_partition = sm_slot % kSubPartitions;
  who.slot = sm_slot / kSubPartitions;
  named_[sm_slot] = who;
  sub_partitions_[who.sub_partition]->name(who.slot, who);
  observer_->warp_started(who, now);
}

/// Returns a free slot of this sub-partition, modulo their number, or of one of the next ones.
unsigned Sm::free_slot(unsigned sub_partition) const {
  for (unsigned i = 0; i < kSubPartitions; ++i) {
    const unsigned number = (sub_partition + i) % kSubPartitions;
    const SlotMask free = sub_partitions_[number]->free_slots();
    if (free != 0) return static_cast<unsigned>(__builtin_ctz(free)) * kSubPartitions + number;
  }
  assert(false && "a block starts where there is room");
  return 0;
}

void Sm::arrived_at_barrier(unsigned sub_partition, unsigned slot, const BarrierArrival& arrival,
                            Cycle now) {
  const unsigned sm_slot = slot * kSubPartitions + sub_partition;
  barrier_.arrive(blocks_.place_of(sm_slot), sm_slot, arrival, now);
  may_release_ = true;
}

void Sm::came_to_group(unsigned sub_partition, unsigned slot) {
  const unsigned sm_slot = slot * kSubPartitions + sub_partition;
  const unsigned warp = trace_.warps[held_.warp_in(sm_slot)].warp;
  held_.groups().arrive(blocks_.place_of(sm_slot), warp, sm_slot);
  may_release_ = true;
}

void Sm::exited(unsigned sub_partition, unsigned slot, Cycle now) {
  const unsigned sm_slot = slot * kSubPartitions + sub_partition;
  barrier_.exit(blocks_.place_of(sm_slot), sm_slot, now);
  may_release_ = true;
}

void Sm::finished(unsigned sub_partition, unsigned slot, Cycle now) {
  const unsigned sm_slot = slot * kSubPartitions + sub_partition;
  const bool was_last = blocks_.finished(sm_slot, now);
  progress_.has_warps = !blocks_.is_empty();
  if (observer_ == nullptr) return;
  const ResidentWarp& who = named_[sm_slot];
  observer_->warp_left(who, now);
  if (was_last) observer_->block_left(who.block, place_.sm, now);
}

void Sm::held(unsigned sub_partition, unsigned slot, const HeldAt& at, Cycle now) {
  held_.hold(slot * kSubPartitions + sub_partition, at, now);
}

void Sm::loads_done(const isa::BulkCopy& arrival, Cycle when) {
  held_.end_later(arrival, when);
  progress_.due = std::min(progress_.due, held_.due());
}

void Sm::copy_began(size_t warp, const isa::BulkCopy& copy, Cycle now) {
  const bool is_behind_loads = copy.way == isa::BulkCopy::Way::kAfterLoads;
  const Cycle read = is_behind_loads ? now : held_.begin_copy(copy, now);
  progress_.due = std::min(progress_.due, std::max(held_.due(), now + 1));
  const bool is_store = copy.way == isa::BulkCopy::Way::kToGlobal;
  if (!is_store && !is_behind_loads) return;
  const unsigned sm_slot = held_.slot_of(warp);
  for (unsigned s = 0; s < kSubPartitions; ++s) {
    if (is_store || s == sm_slot % kSubPartitions)
      sub_partitions_[s]->note_copy(sm_slot / kSubPartitions, copy, read);
  }
}

void Sm::released(size_t warp, Cycle now) {
  held_.release(warp);
  may_release_ = true;
  progress_.due = std::min(progress_.due, now + 1);
}

/// Returns the first cycle in which one of these warps can change.
Cycle Sm::release(Cycle now) {
  may_release_ = false;
  Cycle next = kNever;
  const auto let_go = [&](unsigned sm_slot, Cycle cycle, bool is_held) {
    SubPartition& part = *sub_partitions_[sm_slot % kSubPartitions];
    part.leave_barrier(sm_slot / kSubPartitions, cycle, now, is_held);
    next = std::min(next, part.due());
  };
  for (const unsigned sm_slot : held_.groups().take_releases()) {
    SubPartition& part = *sub_partitions_[sm_slot % kSubPartitions];
    part.meet_group(sm_slot / kSubPartitions, now + params_.group_products.meeting, now);
    next = std::min(next, part.due());
  }
  for (const BlockBarrier::Release& each : barrier_.take_releases())
    let_go(each.sm_slot, each.cycle, false);
  for (const HeldWarps::Release& each : held_.take_releases(now))
    let_go(each.sm_slot, each.cycle, true);
  return next;
}

void Sm::stop(Cycle now) {
  for (const auto& part : sub_partitions_) part->stop(now);
}

void Sm::collect() {
  sub_partitions_.front()->dispatch().collect();
  for (const auto& part : sub_partitions_) {
    result_.dual_issued += part->dual_issued();
    result_.warp_cycles += part->warp_cycles();
  }
  add_units(result_.cycles, &result_.units);
  collect_counts();
}

/// Adds the units in the order of reports.
void Sm::add_units(Cycle end, std::vector<UnitStats>* units) const {
  const bool has_all = isa::facts(trace_.code.family()).has_half_and_tensor;  // the last two pipes
  const unsigned math_units = has_all ? isa::kMathPipes : isa::kMathPipes - 2;
  for (unsigned pipe = 0; pipe < math_units; ++pipe) {
    for (const auto& part : sub_partitions_)
      add_unit(part->dispatch().math().stats(pipe, end), units);
  }
  for (unsigned s = 0; s < kSubPartitions; ++s) {
    UnitStats queue = sub_partitions_[s]->dispatch().mio_queue().stats(end);
    queue.busy += arbiter_->collected(s, end);
    add_unit(queue, units);
  }
  for (const Unit* unit : std::initializer_list<const Unit*>{
           &shuffle_, &shared_memory_, &special_function_, &special_register_, &global_memory_})
    add_unit(unit->stats(end), units);
  if (held_.has_copies()) add_unit(held_.engine().stats(end), units);
}

void Sm::add_to(InstructionCounts<RegisterCounts>* counts) const {
  for (const auto& part : sub_partitions_) counts->add(part->dispatch().register_file().counts);
}

void Sm::collect_counts() {
  shuffle_.counts().add_to(trace_.code, &result_.counts);
  shared_memory_.counts().add_to(trace_.code, &result_.counts);
  global_memory_.counts().add_to(trace_.code, &result_.counts);
}

std::vector<Stat> list_counts() {
  StatList list;
  RegisterCounts{}.list(list);
  ShuffleCounts{}.list(list);
  SharedMemoryCounts{}.list(list);
  GlobalMemoryCounts{}.list(list);
  std::vector<Stat> stats = list.stats();
  stats.push_back(kEnergyStat);
  return stats;
}

}  // namespace shflsim::model
