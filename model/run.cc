// SPDX-License-Identifier: Apache-2.0
#include "model/run.h"

#include <algorithm>
#include <memory>

#include "isa/base/input_error.h"
#include "model/chip/chip.h"
#include "model/core/interruption.h"
#include "model/core/large_heap.h"
#include "model/core/simulation.h"
#include "model/energy/energy.h"
#include "model/standstill.h"
#include "traces/live_launch.h"
#include "traces/replayed_launch.h"

namespace shflsim::model {
namespace {

std::vector<ConfigValue> apply(const ConfigLayers& layers, SmParams* params) {
  ParameterList list;
  params->list(list);
  return layers.apply(list);
}

void check_fits(const Chip& chip, const traces::Trace& trace) {
  if (chip.fits()) return;
  throw InputError("a block of " + std::to_string(trace.threads_per_block) + " threads with " +
                   std::to_string(trace.code.registers) + " registers and " +
                   std::to_string(trace.shared_bytes) +
                   " bytes of shared memory does not fit the SM");
}

/// The blocks of a cooperative launch wait for each other, so all of them must be resident.
void check_resident(const traces::Trace& trace, const Occupancy& occupancy, unsigned sms) {
  const uint64_t most = uint64_t{occupancy.blocks_that_fit()} * sms;
  if (!trace.is_cooperative || trace.blocks <= most) return;
  throw InputError("a cooperative launch of " + std::to_string(trace.blocks) +
                   " blocks; expected " + std::to_string(most) +
                   " at most, which are resident at a time (--sms)");
}

/// The number of SMs, at least enough for a cluster, whose blocks must be resident together.
unsigned sms_for(const traces::Trace& trace, const Occupancy& occupancy, unsigned sms) {
  const unsigned of_sm = std::max(1u, occupancy.blocks_that_fit());
  return std::max(sms, (trace.cluster_blocks + of_sm - 1) / of_sm);
}

/// Throws InputError if the buffers of the launch, which the L2 holds, are unknown.
void check_buffers(const SmParams& params, const traces::Trace& trace) {
  if (params.global_memory.chip.l2_restored == 0 || !traces::buffers_of(trace).empty()) return;
  throw InputError(
      "global_memory.l2_restored = 1 where no buffers are known; expected a launch of code with "
      "buffers");
}

/// The trace that is timed, and the trace that observers see.
struct TimedTrace {
  const traces::Trace& trace;
  const traces::Trace& shown;
};

/// Heap that an SM takes with the warps that are resident on it (measured: launches of
/// tests/data/h100/2026-11-26 on 132 SMs, 0.5 to 0.8 MiB).
constexpr size_t kHeapOfSm = size_t{1} << 20;

/// Returns false if nothing advanced any more.
bool simulate(const TimedTrace& timed, const SmParams& params, const ChipRun& how,
              RunResult* result) {
  const traces::Trace& trace = timed.trace;
  check_buffers(params, trace);
  const Simulation simulation;
  if (how.sms > 1) expect_on_heap(how.sms * kHeapOfSm);
  Chip chip("chip", params, how, trace, *result);
  check_fits(chip, trace);
  const auto made =
      how.observer != nullptr ? how.observer->elaborate(timed.shown, *result) : nullptr;
  if (trace.source != nullptr)
    trace.source->begin_run(params.network.technology().clock, &chip.events(),
                            params.energy.is_known());
  sc_core::sc_start();
  chip.rethrow_failure();
  if (chip.is_stuck() && trace.source != nullptr) trace.source->explain_standstill();
  if (chip.is_stuck()) return false;
  chip.collect();
  return true;
}

/// Repeats the run, which is always the same, with an observer, to describe the standstill.
std::string standstill_of(const TimedTrace& trace, const SmParams& params, unsigned sms) {
  Standstill standstill;
  RunResult again;
  simulate(trace, params, {sms, &standstill}, &again);
  return standstill.text(trace.shown.code);
}

}  // namespace

const std::vector<Stat>& instruction_stats() {
  static const std::vector<Stat> stats = list_counts();
  return stats;
}

std::vector<ConfigValue> effective_config(const ConfigLayers& layers) {
  SmParams params;
  return apply(layers, &params);
}

std::vector<Parameter> parameters() {
  SmParams params;
  ParameterList list;
  params.list(list);
  std::vector<Parameter> all = list.all();
  for (Parameter& each : all) {
    each.number = nullptr;
    each.word = nullptr;
  }
  return all;
}

bool is_whole(const ConfigLayers& layers) {
  SmParams params;
  ParameterList list;
  params.list(list);
  return layers.sets_all(list);
}

namespace {

RunResult run_timed(const TimedTrace& timed, const ConfigLayers& layers, ChipRun how) {
  const traces::Trace& trace = timed.trace;
  const Heeding heeding;
  RunResult result;
  SmParams params;
  result.config = apply(layers, &params);
  how.sms = sms_for(trace, params.blocks.occupancy(trace, how.sms), how.sms);
  result.occupancy = params.blocks.occupancy(trace, how.sms);
  check_resident(trace, result.occupancy, how.sms);
  if (!simulate(timed, params, how, &result)) {
    const bool may_repeat = trace.source == nullptr || trace.source->is_repeatable();
    throw Deadlock("no progress; every resident warp waits" +
                   (may_repeat ? ":\n" + standstill_of(timed, params, how.sms) : ""));
  }
  if (params.energy.is_known())
    add_energy(trace, params.energy, energy_machine(params.network, params.shuffle), &result);
  return result;
}

}  // namespace

RunResult run(const traces::Trace& trace, const ConfigLayers& layers, unsigned sms,
              Observer* observer, Cycle most_cycles, unsigned threads) {
  const ChipRun how{sms, observer, most_cycles, threads};
  if (!traces::ReplayedLaunch::is_needed(trace)) return run_timed({trace, trace}, layers, how);
  const traces::Trace replayed = traces::replayed(trace);
  return run_timed({replayed, trace}, layers, how);
}

}  // namespace shflsim::model
