// SPDX-License-Identifier: Apache-2.0
#include "model/sm/sm.h"

#include <algorithm>
#include <utility>

namespace shflsim::model {
namespace {

constexpr unsigned kRegisterUnit =
    256;  // registers are given out in units of 256 a warp (CUDA guide, cc 5.x)
const char* const kMathNames[kMathUnits] = {"fmai", "fxu", "double", "half", "tensor"};

std::unique_ptr<MioArbiter> make_arbiter(const MioParams& params) {
  if (params.arbitration == "shared_pipe")
    return std::make_unique<SharedPipe>("mio_arbiter", params);
  return std::make_unique<UnitArbiter>("mio_arbiter");
}

}  // namespace

void SmParams::list(ParameterList& out) {
  out.number("sm.max_warps", &max_warps, 4, 64, "warps",
             "resident warps; warp slot w is on sub-partition w mod 4");
  out.number("sm.max_blocks", &max_blocks, 1, 32, "blocks", "resident thread blocks");
  out.number("sm.registers", &registers, 1024, 262144, "32-bit registers",
             "register file of the SM");
  out.number("sm.shared_bytes", &shared_bytes, 0, 1048576, "bytes",
             "shared memory that blocks divide");
  out.number("sm.launch_latency", &launch_latency, 0, 100000, "cycles",
             "a block's end to the start of the next in its place");
  out.number("sm.watchdog", &watchdog, 1000, 100000000, "cycles",
             "without progress until a run is given up");
  control.list(out);
  fetch.list(out);
  scheduler.list(out);
  dependence.list(out);
  latencies.list(out);
  register_file.list(out);
  math.list(out);
  mio.list(out);
  network.list(out);
  shuffle.list(out);
  shared_memory.list(out);
  special_function.list(out);
  out.number("special_function.reduction_latency", &special_function.reduction_latency, 1, 4096,
             "cycles", "REDUX, MATCH: start to the result's use");
  out.flag("special_function.queued", &special_function.queued,
           "special functions wait in the MIO queue; else they issue once the unit is free");
  special_register.list(out);
  out.number("special_register.constant_latency", &special_register.constant_latency, 1, 4096,
             "cycles", "LDC: start to the result's use");
  global_memory.list(out);
  barrier.list(out);
}

Sm::Sm(const sc_core::sc_module_name& name, unsigned number, const SmParams& params,
       const traces::Trace& trace, ChipMemory& memory, RunResult& result)
    : sc_module(name),
      number_(number),
      params_(params),
      trace_(trace),
      result_(result),
      facts_(facts_of(trace, params.control)),
      code_(facts_.size(), !trace.volta.empty(), params.fetch.line_bytes),
      arbiter_(make_arbiter(params.mio)),
      shuffle_("shuffle", params.shuffle, params.network.make(),
               params.shuffle.shares_pipe != 0 ? shared_pipe_ : shuffle_pipe_, trace.maps()),
      shared_memory_("shared_memory", params.shared_memory, shared_pipe_),
      special_function_("special_function", params.special_function, kSubPartitions),
      special_register_("special_register", params.special_register, 1),
      code_memory_("code_memory", params.fetch, code_),
      global_memory_("global_memory", params.global_memory, memory),
      barrier_("barrier", params.barrier, params.max_blocks),
      residents_(params.max_warps),
      blocks_(blocks_that_fit()) {
  for (unsigned s = 0; s < kSubPartitions; ++s) {
    const std::string part = "sub_partition" + std::to_string(s);
    sub_partitions_[s] = std::make_unique<SubPartition>(part.c_str(), sub_partition_params(s),
                                                        params.scheduler.policy.make(s),
                                                        trace.program, facts_, result_);
  }
  connect();
}

SubPartition::Params Sm::sub_partition_params(unsigned number) const {
  SubPartition::Params params;
  params.fetch = params_.fetch;
  params.code = code_;
  params.dependence = params_.dependence;
  params.barrier = params_.barrier;
  params.slots = params_.max_warps / kSubPartitions;
  Dispatch::Params& dispatch = params.dispatch;
  dispatch.sub_partition = number;
  dispatch.register_file = params_.register_file;
  dispatch.math = params_.math;
  dispatch.latencies = params_.latencies;
  dispatch.mio = params_.mio;
  dispatch.issues_pairs = params_.scheduler.dual_issue != 0;
  dispatch.defers_barriers = params_.barrier.deferred != 0;
  dispatch.queues_special = params_.special_function.queued != 0;
  return params;
}

/// The netlist.
void Sm::connect() {
  for (unsigned s = 0; s < kSubPartitions; ++s) {
    sub_partitions_[s]->events.bind(*this);
    arbiter_->back[s].bind(sub_partitions_[s]->back);
    arbiter_->connect(s, sub_partitions_[s]->mio_queue(), sub_partitions_[s]->register_file());
    sub_partitions_[s]->special_function.bind(special_function_);
    sub_partitions_[s]->shared_banks.bind(shared_memory_);
    sub_partitions_[s]->code.bind(code_memory_);
  }
  const auto to = [this](isa::Pipe pipe) -> MioArbiter::UnitPort& {
    return arbiter_->unit[static_cast<size_t>(pipe)];
  };
  to(isa::Pipe::kShuffle).bind(shuffle_);
  to(isa::Pipe::kShared).bind(shared_memory_);
  to(isa::Pipe::kXu).bind(special_function_);
  to(isa::Pipe::kSpecial).bind(special_register_);
  to(isa::Pipe::kGlobal).bind(global_memory_);
}

/// One cycle, back to front: a stage sees the room that the one behind it made in this cycle.
inline bool Sm::step(Cycle now) {
  bool progress = arbiter_->evaluate(now);
  for (const auto& part : sub_partitions_) {
    if (part->due() <= now) progress |= part->evaluate(now);
  }
  if (barrier_.has_releases()) release_barriers(now);
  return progress;
}

inline Cycle Sm::next_change(Cycle now) const {
  Cycle next = arbiter_->due();
  for (const auto& part : sub_partitions_) {
    if (next == now + 1) break;  // mostly so while any warp issues
    next = std::min(next, part->due());
  }
  return next;
}

void Sm::run(Cycle now, Cycle until) {
  for (; now < until; now = due_) {
    if (step(now)) last_progress_ = now;
    last_cycle_ = now;
    due_ = is_empty() ? kNever : next_change(now);
  }
}

unsigned Sm::blocks_that_fit() const {
  const unsigned warps = trace_.warps_per_block();
  const unsigned per_warp =
      (std::max(1u, trace_.program.registers) * isa::kLanes + kRegisterUnit - 1) / kRegisterUnit *
      kRegisterUnit;
  unsigned blocks = std::min(params_.max_blocks, params_.max_warps / std::max(1u, warps));
  blocks = std::min(blocks, params_.registers / (per_warp * std::max(1u, warps)));
  if (trace_.shared_bytes != 0)
    blocks = std::min(blocks, params_.shared_bytes / trace_.shared_bytes);
  return blocks;
}

size_t Sm::launch(size_t warp, Cycle now) {
  const auto free_block = std::find_if(blocks_.begin(), blocks_.end(), [now](const Block& block) {
    return !block.resident && block.ready <= now;
  });
  const auto block_slot = static_cast<unsigned>(free_block - blocks_.begin());
  const uint32_t block = trace_.warps[warp].block;
  unsigned warps = 0;
  const std::vector<unsigned> slots = free_slots();
  for (; warp < trace_.warps.size() && trace_.warps[warp].block == block; ++warp) {
    const unsigned sm_slot = slots.at(warps++);
    WarpStats& stats = result_.warps[warp];
    stats.block = block;
    stats.warp = trace_.warps[warp].warp;
    stats.sm = number_;
    residents_[sm_slot].block_slot = block_slot;
    sub_partitions_[sm_slot % kSubPartitions]->start_warp(sm_slot / kSubPartitions,
                                                          traces::WarpReader(trace_, warp),
                                                          trace_.warps[warp].start, stats, now);
  }
  blocks_[block_slot] = {true, warps, 0};
  find_room();
  running_warps_ += warps;
  barrier_.start_block(block_slot, warps);
  due_ = now;
  return warp;
}

void Sm::find_room() {
  room_ = kNever;
  for (const Block& block : blocks_) {
    if (!block.resident) room_ = std::min(room_, block.ready);
  }
}

std::vector<unsigned> Sm::free_slots() const {
  std::vector<unsigned> slots;
  for (unsigned sm_slot = 0; sm_slot < residents_.size(); ++sm_slot) {
    const SlotMask free = sub_partitions_[sm_slot % kSubPartitions]->free_slots();
    if ((free & slot_bit(sm_slot / kSubPartitions)) != 0) slots.push_back(sm_slot);
  }
  return slots;
}

void Sm::arrived_at_barrier(unsigned sub_partition, unsigned slot, Cycle now) {
  const unsigned sm_slot = slot * kSubPartitions + sub_partition;
  barrier_.arrive(residents_[sm_slot].block_slot, sm_slot, now);
}

void Sm::exited(unsigned sub_partition, unsigned slot, Cycle now) {
  barrier_.exit(residents_[slot * kSubPartitions + sub_partition].block_slot, now);
}

void Sm::finished(unsigned sub_partition, unsigned slot, Cycle now) {
  Block& block = blocks_[residents_[slot * kSubPartitions + sub_partition].block_slot];
  --running_warps_;
  if (--block.warps != 0) return;
  block.resident = false;
  block.ready = now + params_.launch_latency;
  find_room();
}

void Sm::release_barriers(Cycle now) {
  for (const BlockBarrier::Release& release : barrier_.take_releases()) {
    sub_partitions_[release.sm_slot % kSubPartitions]->leave_barrier(
        release.sm_slot / kSubPartitions, release.cycle, now);
  }
}

std::string Sm::describe() const {
  std::string text;
  for (const auto& part : sub_partitions_) text += part->describe();
  return text;
}

void Sm::collect() {
  sub_partitions_.front()->collect();
  // The half-precision pipe and the matrix unit, the last ones, are of Volta and later.
  const unsigned math_units = trace_.volta.empty() ? kMathUnits - 2 : kMathUnits;
  size_t place = 0;
  for (unsigned u = 0; u < math_units; ++u) {
    UnitStats unit{kMathNames[u], kSubPartitions, 0, 0};
    for (const auto& part : sub_partitions_) {
      unit.busy += part->math().busy(u);
      unit.operations += part->math().operations(u);
    }
    add_unit(place++, unit);
  }
  UnitStats queue{"mio", kSubPartitions, 0, 0};
  for (const auto& part : sub_partitions_) {
    queue.busy += part->mio_queue().busy();
    queue.operations += part->mio_queue().operations();
  }
  add_unit(place++, queue);
  for (const UnitStats& unit : {shuffle_.stats(), shared_memory_.stats(), special_function_.stats(),
                                special_register_.stats(), global_memory_.stats()}) {
    add_unit(place++, unit);
  }
}

/// The units of all SMs are counted together.
void Sm::add_unit(size_t place, const UnitStats& unit) {
  if (place == result_.units.size()) return result_.units.push_back(unit);
  UnitStats& sum = result_.units[place];
  sum.instances += unit.instances;
  sum.busy += unit.busy;
  sum.operations += unit.operations;
}

}  // namespace shflsim::model
