// SPDX-License-Identifier: Apache-2.0
#include "model/energy/energy.h"

#include <algorithm>
#include <cmath>

#include "isa/machine/bit_activity.h"
#include "model/shuffle/narrow.h"
#include "model/shuffle/shuffle_energy.h"

namespace shflsim::model {
namespace {

constexpr double kBytesOfWord = 4;
constexpr double kBytesOfSector = 32;
constexpr double kFemtoOfPico = 1e3;
constexpr double kPicoOfNano = 1e3;
constexpr double kSecondOfNano = 1e-9;

using Amounts = std::array<double, kWorks>;

double& amount(Amounts& amounts, Work work) { return amounts[static_cast<size_t>(work)]; }

Work work_on_pipe(const isa::CodeLine& line) {
  switch (line.pipe) {
    case isa::Pipe::kFmai:
    case isa::Pipe::kFmaiFxu: return Work::kMultiplyAdd;
    case isa::Pipe::kMultiply:
    case isa::Pipe::kWideMultiply: return Work::kMultiply;
    case isa::Pipe::kHalf: return Work::kHalf;
    case isa::Pipe::kDouble: return Work::kDouble;
    case isa::Pipe::kTensor:  // HFMA2.MMA, too
      return line.kind == isa::OpKind::kMatrix ? Work::kMatrix : Work::kHalf;
    case isa::Pipe::kXu: return line.is_reduction() ? Work::kReduction : Work::kSpecialFunction;
    case isa::Pipe::kShuffle: return Work::kShuffle;
    case isa::Pipe::kShared: return Work::kBarrier;
    case isa::Pipe::kSpecial: return Work::kConstant;
    case isa::Pipe::kBranch: return Work::kBranch;
    case isa::Pipe::kFrontEnd: return Work::kUniform;
    default: return Work::kFixedPoint;
  }
}

/// Number of products of 16 x 8 x 8 halves, or of operands with as many bits.
double products_in(const isa::CodeLine& line) {
  constexpr double kColumns = 8;
  if (line.group_product.columns != 0) return 2 * line.group_product.columns / kColumns;
  return line.matrices == isa::MatrixProduct::kLarge ? 2 : 1;
}

double stat_of(const RunResult& result, const char* key, size_t index) {
  const uint64_t value = result.count(key, index);
  return value == StatColumn::kNone ? 0 : static_cast<double>(value);
}

/// Number of registers that a lane reads and writes.
unsigned registers_named(const isa::Footprint& footprint) {
  unsigned registers = footprint.write_count;
  footprint.for_each_read([&registers](unsigned) { ++registers; });
  return registers;
}

void add_accesses(const RunResult& result, const isa::CodeLine& line, size_t index,
                  Amounts* amounts) {
  const bool is_atomic =
      line.kind == isa::OpKind::kAtomic || line.kind == isa::OpKind::kAtomicStore;
  const auto lanes = static_cast<double>(result.instructions[index].lanes);
  const double words = lanes * line.access_bytes / kBytesOfWord;
  if (line.accesses_shared) {
    amount(*amounts, Work::kSharedWavefront) = stat_of(result, "shared_wavefronts", index);
    amount(*amounts, Work::kSharedWord) = words;
  } else {
    amount(*amounts, Work::kL1Wavefront) = stat_of(result, "global_wavefronts", index);
    amount(*amounts, Work::kL1Word) = words;
    const Work way = line.is_store || is_atomic ? Work::kL2Write : Work::kL2Read;
    if (!line.access.is_local || !line.is_store)  // the L1 keeps what a thread stores for itself
      amount(*amounts, way) = stat_of(result, "l2_bytes", index) / kBytesOfSector;
    amount(*amounts, Work::kDramSector) = stat_of(result, "dram_bytes", index) / kBytesOfSector;
  }
  if (is_atomic) amount(*amounts, Work::kAtomic) = lanes;
}

/// The work of one instruction over the whole run.
Amounts amounts_in(const RunResult& result, const isa::CodeLine& line, size_t index,
                   const EnergyMachine& machine) {
  const InstructionStats& stats = result.instructions[index];
  const auto lanes = static_cast<double>(stats.lanes);
  Amounts amounts{};
  amount(amounts, Work::kIssue) = static_cast<double>(stats.issued);
  amount(amounts, Work::kRegister) = lanes * registers_named(line.footprint);
  if (line.accesses_shared || line.pipe == isa::Pipe::kGlobal) {
    add_accesses(result, line, index, &amounts);
    return amounts;
  }
  const Work work = work_on_pipe(line);
  double& done = amount(amounts, work);
  switch (work) {
    case Work::kMatrix: done = lanes * products_in(line); break;
    case Work::kShuffle:
      done = isa::kLanes * stat_of(result, "passes", index) * machine.pass_to_crossbar;
      break;
    case Work::kUniform: done = amount(amounts, Work::kIssue); break;
    default: done = lanes; break;
  }
  return amounts;
}

/// Twice the share of bits that toggle: 1 if half of the bits do.
double toggling_at(const isa::BitActivity* activity, const EnergyParams& params, size_t index) {
  const double seen = activity == nullptr ? -1 : activity->of(static_cast<uint32_t>(index));
  return 2 * (seen < 0 ? params.activity / 100.0 : seen);
}

uint64_t to_whole(double value) { return static_cast<uint64_t>(std::llround(value)); }

struct EnergySums {
  Amounts amounts{};
  Amounts toggling{};
};

double femtojoules(const EnergyParams& params, const Amounts& amounts, double toggling,
                   EnergySums* sums) {
  double sum = 0;
  for (size_t work = 0; work < kWorks; ++work) {
    sum += amounts[work] * (params.works[work].base + toggling * params.works[work].data);
    sums->amounts[work] += amounts[work];
    sums->toggling[work] += toggling * amounts[work];
  }
  return sum;
}

/// Seconds that the launch takes if its blocks share all SMs of the chip that they can fill.
double seconds_on_chip(const traces::Trace& trace, const EnergyParams& params,
                       const EnergyMachine& machine, const RunResult& result) {
  const double shared = std::min(result.sms, trace.blocks);
  const double share = shared / std::max<double>(shared, std::min(params.sms, trace.blocks));
  return static_cast<double>(result.cycles) * share / (machine.clock_mhz * 1e6);
}

/// Amount and energy of each kind of work over the whole run.
std::vector<EnergyStats> energy_stats(const EnergyParams& params, const EnergySums& sums) {
  std::vector<EnergyStats> all;
  for (size_t work = 0; work < kWorks; ++work) {
    const EnergyParams::OfWork& each = params.works[work];
    const double energy = sums.amounts[work] * each.base + sums.toggling[work] * each.data;
    all.push_back({work_name(static_cast<Work>(work)), to_whole(sums.amounts[work]),
                   to_whole(sums.toggling[work]), to_whole(energy / kFemtoOfPico)});
  }
  return all;
}

}  // namespace

EnergyMachine energy_machine(const NetworkChoice& network, const ShuffleParams& shuffle) {
  const Technology& technology = network.technology();
  const double crossbar = pass_energy(cost_of(crossbar_wiring()), technology, isa::kLanes);
  const Wiring wiring = narrowed(network.make()->wiring(), shuffle.lanes);
  EnergyMachine machine;
  machine.clock_mhz = technology.clock;
  if (!wiring.outputs().empty() && crossbar != 0) {
    const double pass = pass_energy(cost_of(wiring), technology, isa::kLanes, shuffle.lanes);
    machine.pass_to_crossbar = pass / crossbar;
  }
  return machine;
}

void add_energy(const traces::Trace& trace, const EnergyParams& params,
                const EnergyMachine& machine, RunResult* result) {
  EnergySums sums;
  StatColumn column{kEnergyStat.key, {}};
  const std::shared_ptr<const isa::BitActivity> activity =
      trace.source == nullptr ? nullptr : trace.source->bit_activity();
  for (size_t index = 0; index < result->instructions.size(); ++index) {
    const Amounts amounts = amounts_in(*result, trace.code.lines[index], index, machine);
    const double spent =
        femtojoules(params, amounts, toggling_at(activity.get(), params, index), &sums);
    column.values.push_back(to_whole(spent / kFemtoOfPico));
  }
  result->counts.push_back(std::move(column));
  result->energy = energy_stats(params, sums);
  const uint64_t blocks = trace.blocks;
  result->energy.push_back({"block", blocks, 0, blocks * params.block});
  result->energy.push_back({"launch", 1, 0, to_whole(params.launch * kPicoOfNano)});
  const double seconds =
      seconds_on_chip(trace, params, machine, *result) + params.launch_gap * kSecondOfNano;
  result->energy.push_back(
      {"idle", result->cycles, 0, to_whole(params.idle_power * seconds * 1e12)});
}

}  // namespace shflsim::model
