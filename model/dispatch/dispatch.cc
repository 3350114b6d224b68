// SPDX-License-Identifier: Apache-2.0
#include "model/dispatch/dispatch.h"

#include "model/core/different_values.h"

#include <algorithm>
#include <cassert>

namespace shflsim::model {
namespace {

void record_latency(InstructionStats* stats, Cycle latency) {
  stats->latency_min = stats->results == 0 ? latency : std::min(stats->latency_min, latency);
  stats->latency_max = std::max(stats->latency_max, latency);
  stats->latency_sum += latency;
  ++stats->results;
}

void record_by_latency(InstructionStats* stats, Cycle latency) {
  const Cycle place = std::min(latency, InstructionStats::kMostLatency);
  if (stats->by_latency.size() <= place) stats->by_latency.resize(place + 1);
  ++stats->by_latency[place];
}

bool has_result(const isa::Footprint& footprint) {
  return footprint.write_count != 0 || footprint.predicates_written != 0 || footprint.writes_carry;
}

}  // namespace

Dispatch::Dispatch(const sc_core::sc_module_name& name, const Params& params, IssueTable& table,
                   const Fetch& fetch, Dependence& dependence, Warps& warps)
    : Module(name),
      special_function("special_function"),
      shared_banks("shared_banks"),
      global_memory("global_memory"),
      constant_memory("constant_memory"),
      params_(params),
      dependence_(dependence),
      warps_(warps),
      register_file_("register_file", params.register_file, params.outcomes),
      math_("math", params.math),
      group_products_("group_products", params.group_products),
      mio_queue_("mio_queue", params.mio, params.sub_partition),
      write_port_("write_port",
                  {params.register_file.write_distance, params.register_file.write_patience,
                   params.register_file.banks, params.register_file.product_write,
                   params.register_file.small_product_write, params.register_file.write_gap,
                   params.register_file.special_stages, params.special_interval}),
      records_(table.records) {
  if (table.records.empty()) table.records = make_records(table.facts, fetch);
}

namespace {

bool passes_queue(const Facts& facts, const MioParams& params) {
  if (params.arbitration != "shared_pipe") return false;
  return (params.barriers_apart != 0 && isa::is_of_shared_barrier(facts.kind)) ||
         (params.specials_apart != 0 && facts.passes_pipe());
}

Resource resource_of(const Facts& facts, const Dispatch::Params& params) {
  if (facts.pipe == isa::Pipe::kBranch || facts.pipe == isa::Pipe::kFrontEnd)
    return Resource::kNothing;
  if (facts.is_block_barrier() && params.defers_barriers) return Resource::kNothing;
  if (passes_queue(facts, params.mio)) return Resource::kNothing;
  if (facts.fences_block && !params.queues_fences) return Resource::kNothing;
  if (facts.pipe == isa::Pipe::kGlobal) return Resource::kGlobalQueue;
  const bool is_queued =
      params.queues_special || (facts.is_reduction() && params.queues_reductions);
  if (facts.pipe == isa::Pipe::kXu && !is_queued) return Resource::kSpecial;
  return is_mio(facts.pipe) ? Resource::kQueue : static_cast<Resource>(facts.pipe);
}

void note_path(const Facts& facts, const Dispatch::Params& params, IssueRecord* record) {
  record->resource = resource_of(facts, params);
  const bool is_special = record->resource == Resource::kSpecial;
  record->passes_queue = passes_queue(facts, params.mio) || (is_special && params.reads_special);
  record->is_late_clock = facts.is_clock_read && params.register_file.late_clock != 0 &&
                          params.register_file.late_reads == "freeze";
}

bool writes_source_of(const isa::Footprint& writer, const isa::Footprint& reader) {
  bool writes = false;
  reader.for_each_read([&](unsigned index) {
    writes |= index >= writer.first_write && index - writer.first_write < writer.write_count;
  });
  return writes;
}

/// True if it has a constant operand, which the constant cache may lack.
bool asks_constant(const Facts& facts) {
  return facts.constant.exists && !facts.is_constant_load();
}

/// Marks the 64-bit product with this index, and the instruction that writes one of its sources
/// shortly before, by the stall counts.
void note_feeder(const std::vector<Facts>& facts, size_t index, uint32_t settle,
                 std::vector<IssueRecord>* records, IssueRecord* product) {
  uint32_t since = 0;
  for (size_t before = index; before-- != 0 && since < settle;) {
    const Facts& each = facts[before];
    if (each.parts_lanes || each.is_convergence()) return;
    since += each.stall;
    if (!isa::is_math(each.pipe)) continue;
    if (!writes_source_of(each.footprint, facts[index].footprint)) continue;
    (*records)[before].product |= kFeedsProduct;
    (*records)[before].is_plain = (*records)[before].runs_on = false;
    product->product |= kFedProduct;
    return;
  }
}

/// True if an instruction that is neither a branch nor a barrier of the block needs
/// SubPartition::look_at() when it issues.
bool is_looked_at(const Facts& facts) {
  return facts.fence != Fence::kNone || facts.lets_others_run || facts.sleeps ||
         facts.may_be_held || facts.passes_wait || facts.empties_l1 || facts.changes_registers ||
         facts.meets_group || facts.opens_convergence() || facts.moves_barrier();
}

}  // namespace

uint32_t start_product(const IssueRecord& record, const MathParams& params, MathPipes* math,
                       Cycle* fed, Cycle now) {
  const uint8_t product = record.product;
  if ((product & kMatrices) != 0) {
    math->hold(static_cast<isa::Pipe>(record.resource), params.interval_of(record.facts->matrices),
               now);
  }
  constexpr Cycle kShortestLatency = 4;
  uint32_t frozen = (product & kProduct) != 0 ? params.wide_freeze : 0;
  const Cycle settled = *fed + params.wide_settle;
  const bool settles = now - *fed >= kShortestLatency && settled > now;
  if ((product & kFedProduct) != 0 && settles)
    frozen = std::max(frozen, static_cast<uint32_t>(settled - now));
  if ((product & kFeedsProduct) != 0) *fed = now;
  return frozen;
}

std::vector<IssueRecord> Dispatch::make_records(const std::vector<Facts>& facts,
                                                const Fetch& fetch) const {
  std::vector<IssueRecord> records;
  records.reserve(facts.size());
  for (const Facts& each : facts) {
    IssueRecord record;
    record.facts = &each;
    note_path(each, params_, &record);
    record.stall = each.stall;
    record.waits_behind_barrier =
        is_mio(each.pipe) || each.pipe == isa::Pipe::kBranch || each.waits_behind_barrier;
    record.yields = each.yields;
    record.is_noted = each.is_clock_read || params_.is_observed;
    record.is_block_barrier = each.is_block_barrier();
    record.is_branch =
        each.parts_lanes || each.is_convergence() || each.syncs_warp() || each.ends_set();
    record.is_convergence = each.is_convergence();
    record.is_indirect = each.is_indirect;
    record.is_looked_at = record.is_block_barrier || record.is_branch || is_looked_at(each);
    const bool asks_fetch = fetch.is_point(static_cast<uint32_t>(records.size()));
    const bool is_behind_branch =
        !records.empty() && (records.back().is_branch || records.back().is_indirect);
    record.point = static_cast<Point>((asks_fetch ? 1 : 0) | (is_behind_branch ? 2 : 0));
    record.asks_constant = params_.asks_constants && asks_constant(each);
    record.is_first_of_pair = each.dual_issue && params_.issues_pairs;
    record.dependence = dependence_.needs(each);
    record.may_wait = record.waits_behind_barrier || record.asks_constant || record.dependence.asks;
    if (is_math(record.resource)) {
      record.reads = register_file_.plan(each);
      record.latency = params_.latencies.of(each);
      if (record.resource == Resource::kWideMultiply) {
        record.product = kProduct;
        note_feeder(facts, records.size(), params_.math.wide_settle, &records, &record);
      }
      if (each.matrices != MatrixProduct::kNone) record.product |= kMatrices;
      if (each.group_product.columns != 0) {
        record.product |= kOfGroup;
        record.latency = static_cast<uint32_t>(group_products_.latency_of(each.group_product));
      }
      record.writes = write_port_.banks_of_math(each);
      record.is_plain = !record.is_noted && !record.is_looked_at && !record.is_first_of_pair &&
                        record.product == 0 && !record.dependence.results;
      record.runs_on = record.is_plain && record.stall == 1 && !record.yields;
    }
    records.push_back(record);
  }
  return records;
}

Cycle start_group_product(const isa::GroupProduct& product, GroupProducts* products,
                          MathPipes* math, MioHeads* heads, Cycle now) {
  const GroupProducts::Times times = products->start(product, now);
  if (heads != nullptr && products->params().reads_first != 0) {
    heads->product_reads(times.reads, times.reads_b);
    heads->product_reads(times.reads_b, times.has_read);
  }
  math->queue(isa::Pipe::kTensor, times.held, heads != nullptr ? times.next : now + 1);
  return times.result;
}

void share_registers(Resource resource, GroupProducts* products, MathPipes* math) {
  const bool is_fxu = resource == Resource::kFxu;
  if (!is_fxu && resource != Resource::kFmai && resource != Resource::kFmaiFxu) return;
  const GroupProductParams& params = products->params();
  math->delay(is_fxu ? isa::Pipe::kFxu : isa::Pipe::kFmai,
              products->take_turns(is_fxu ? params.fxu_share : params.fmai_share));
}

/// Called for reads of the clock, and for all issues if there is an observer.
void note_issue(const Warps& warps, unsigned slot, Cycle now, Cycle clock) {
  const Warps::Warp& warp = warps.warp[slot];
  if (warps.watch != nullptr) warps.watch->issued(slot, warp.steps->step(), now);
  if (warp.record->facts->is_clock_read) warp.totals->clock_reads.push_back(clock);
}

namespace {

/// Returns when an instruction of the front end has read its sources: a copy its operands, and the
/// end of a group of copies the data that all copies of the SM so far store.
Cycle read_at(const Facts& facts, Cycle stored, uint32_t copy_issue, Cycle now) {
  if (facts.kind == isa::OpKind::kBulkCopy) return now + copy_issue;
  if (facts.kind == isa::OpKind::kBulkCommit) return std::max(now + 1, stored);
  return now + 1;
}

}  // namespace

/// Issues branches, and instructions that the front end executes. The branch unit says when a move
/// of a convergence barrier is done.
void Dispatch::start_nothing(unsigned slot, Cycle now) {
  const IssueRecord& record = *warps_.warp[slot].record;
  if (!record.dependence.results || record.facts->moves_barrier()) return;
  Warps::SharedLoads& loads = warps_.warp[slot].loads;
  if (record.facts->ends_loads && loads.known != loads.begun) {
    loads.waits.push_back({loads.begun, record.facts, {}, params_.loads_wait});
    return dependence_.sources_read(slot, *record.facts, now + 1);
  }
  if (record.facts->ends_loads)
    return dependence_.result_ready(slot, *record.facts,
                                    std::max(now + 1, loads.done + params_.loads_wait));
  const Cycle read = read_at(*record.facts, warps_.stored, params_.copy_issue, now);
  dependence_.sources_read(slot, *record.facts, read);
  dependence_.result_ready(slot, *record.facts, now + 1);
}

void Dispatch::send_to_mio(unsigned slot, Cycle now) {
  const IssueRecord& record = *warps_.warp[slot].record;
  const Facts& facts = *record.facts;
  const traces::WarpReader& steps = *warps_.warp[slot].steps;
  const traces::Step& step = steps.step();
  MioRequest request;
  request.facts = &facts;
  request.static_index = warps_.warp[slot].index;
  request.slot = slot;
  request.issued = now;
  request.was_held = warps_.warp[slot].barrier_release == now;
  request.has_lanes = step.lanes != 0;
  if (facts.pipe == isa::Pipe::kShuffle) {
    request.payload = step.payload;
  } else if (step.payload != traces::Step::kNone) {  // addresses, while they are available
    if (facts.goes_by_value && step.lanes != 0)
      request.wavefronts = different_values(steps.addresses(), step.lanes);
    if (facts.is_constant_load())
      request.payload = static_cast<uint32_t>(
          constant_memory->load(facts.constant.bank, steps.addresses(), step.lanes, now) - now);
    if (facts.pipe == isa::Pipe::kShared)
      request.wavefronts =
          shared_banks->wavefronts(steps.addresses(), step.lanes, facts.access_bytes,
                                   !facts.is_store && !facts.is_shared_atomic());
    if (facts.is_shared_atomic())
      request.payload = shared_banks->turns(steps.addresses(), step.lanes, facts.access_bytes,
                                            facts.access.spins);
    if (facts.pipe == isa::Pipe::kGlobal && step.lanes != 0) {
      request.payload = global_memory->expect(steps.addresses(), step.lanes, facts,
                                              slot * kSubPartitions + params_.sub_partition);
    }
  }
  ++warps_.warp[slot].in_flight;
  if (record.resource == Resource::kSpecial && group_products_.is_busy(now))
    request.payload = group_products_.take_turns(params_.group_products.special_share);
  if (record.passes_queue) return mio_queue_.pass(request, now);
  if (facts.loads_to_shared) ++warps_.warp[slot].loads.begun;
  if (record.resource != Resource::kSpecial) return mio_queue_.push(request, now);
  if (params_.mio.port != 0 && facts.footprint.read_count != 0)
    register_file_.take_port(facts.footprint.reads[0].index, now + mio_queue_.first_port());
  sources_read(request, now + mio_queue_.shortest_read());
  completed(request, special_function->start(params_.sub_partition, request, now));
}

/// Issue and math pipes are frozen after `now`; results and the MIO are not.
void Dispatch::freeze(Cycle now, Cycle cycles) {
  frozen_until_ = now + 1 + cycles;
  register_file_.stand_still(cycles);
  if (write_port_.is_starved() || write_port_.stop() <= now)
    write_port_.leave_free(now, cycles);
  else
    write_port_.stand_still(cycles);
  math_.freeze(now, cycles);
}

Cycle Dispatch::completed(const MioRequest& request, const MioCompletion& completion) {
  if (AwaitedResults::holds(request, completion)) {
    awaited_.wait(request, completion);
    return due_ = std::min(due_, awaited_.due());
  }
  const isa::Pipe pipe = request.facts->pipe;
  const bool is_special = pipe == isa::Pipe::kXu && params_.register_file.special_stages != 0 &&
                          !request.facts->is_reduction();
  const bool writes = request.facts->footprint.write_count != 0 &&
                      (pipe == isa::Pipe::kShuffle || pipe == isa::Pipe::kShared || is_special);
  if (!writes || !write_port_.is_limited()) return finish(request, completion);
  write_port_.wait(request, completion);
  return due_ = std::min(due_, write_port_.due());
}

void Dispatch::write_results(Cycle now) {
  const auto lateness = [&](const AwaitedFill& fill) { return global_memory->lateness(fill, now); };
  awaited_.decide(now, lateness, [&](const MioRequest& request, const MioCompletion& completion) {
    finish(request, completion);
  });
  const bool stands = write_port_.decide(now, [&](const WritePort::Result& result) {
    MioCompletion completion = result.completion;
    if (!result.is_special() && completion.later == 0 && is_seen_late(result.request.slot, now))
      completion.result = now + 1;
    finish(result.request, completion);
  });
  if (stands) special_function->stand_still(params_.sub_partition);
  due_ = std::min(write_port_.due(), awaited_.due());
}

Cycle Dispatch::finish(const MioRequest& request, const MioCompletion& completion) {
  Warps::Warp& warp = warps_.warp[request.slot];
  assert(warp.in_flight != 0 && "only what was sent comes back");
  --warp.in_flight;
  const Cycle result = completion.result + completion.later;
  dependence_.result_ready(request.slot, *request.facts, result);
  if (has_result(request.facts->footprint)) {
    InstructionStats& stats = warps_.all_stats[request.static_index];
    record_latency(&stats, result - request.issued);
    if (request.facts->pipe == isa::Pipe::kShuffle)
      record_by_latency(&stats, result - request.issued);
  }
  if (warps_.watch != nullptr) warps_.watch->done(request, result);
  warp.drained = std::max(warp.drained, result);
  const bool has_exited = has_slot(warps_.exited, request.slot);
  return has_exited ? warp.drained : kNever;
}

void Dispatch::collect() const {
  for (size_t i = 0; i < records_.size(); ++i) {
    InstructionStats& stats = warps_.all_stats[i];
    const isa::Footprint& footprint = records_[i].facts->footprint;
    const bool has = is_math(records_[i].resource) && has_result(footprint);
    if (!has || stats.issued == 0) continue;
    const Cycle latency = records_[i].latency;
    stats.results = stats.issued;
    stats.latency_min = stats.latency_max = latency;
    stats.latency_sum = stats.issued * latency;
    if (records_[i].facts->pipe == isa::Pipe::kDouble) continue;  // all users see one latency
    if (footprint.write_count != 0) {
      stats.latency_shared = std::min(params_.latencies.shared, params_.latencies.math);
      stats.latency_global = std::min(params_.latencies.global, params_.latencies.math);
    }
    if (footprint.predicates_written != 0) stats.latency_predicate = params_.latencies.predicate;
  }
}

}  // namespace shflsim::model
