// SPDX-License-Identifier: Apache-2.0
#include "model/energy/energy_params.h"

namespace shflsim::model {
namespace {

struct WorkFacts {
  const char* name;
  const char* base_key;
  const char* data_key;  ///< nullptr: no data
  const char* help;
};

constexpr std::array<WorkFacts, kWorks> kWorkFacts{{
    {"issue", "energy.issue", nullptr, "energy of every warp instruction"},
    {"register", "energy.register", "energy.register_data",
     "energy of a register read or write, for each lane"},
    {"uniform", "energy.uniform", nullptr, "energy of an instruction of the uniform data path"},
    {"fixed_point", "energy.fixed_point", "energy.fixed_point_data",
     "energy of the fixed-point pipe, for each lane"},
    {"multiply_add", "energy.multiply_add", "energy.multiply_add_data",
     "energy of the multiply-add pipe, for each lane"},
    {"multiply", "energy.multiply", "energy.multiply_data",
     "energy of an integer product, for each lane"},
    {"half", "energy.half", "energy.half_data", "energy of the half-precision pipe, for each lane"},
    {"double", "energy.double", "energy.double_data",
     "energy of the double-precision pipe, for each lane"},
    {"matrix", "energy.matrix", "energy.matrix_data",
     "energy of a 16 x 8 x 8 product of halves, for each lane"},
    {"special_function", "energy.special_function", "energy.special_function_data",
     "energy of a special function or conversion, for each lane"},
    {"shuffle", "energy.shuffle", "energy.shuffle_data",
     "energy of a pass of a crossbar, for each lane"},
    {"reduction", "energy.reduction", "energy.reduction_data",
     "energy of REDUX or MATCH, for each lane"},
    {"constant", "energy.constant", "energy.constant_data",
     "energy of LDC or a read of a special register, for each lane"},
    {"barrier", "energy.barrier", nullptr, "energy of a barrier, for each lane"},
    {"branch", "energy.branch", nullptr, "energy of the branch unit, for each lane"},
    {"shared_wavefront", "energy.shared_wavefront", nullptr,
     "energy of a wavefront of shared memory"},
    {"shared_word", "energy.shared_word", "energy.shared_word_data",
     "energy of four bytes of shared memory"},
    {"atomic", "energy.atomic", "energy.atomic_data", "energy of an atomic, for each lane"},
    {"l1_wavefront", "energy.l1_wavefront", nullptr, "energy of a wavefront of the L1"},
    {"l1_word", "energy.l1_word", "energy.l1_word_data", "energy of four bytes of the L1"},
    {"l2_read", "energy.l2_read", "energy.l2_read_data",
     "energy of a sector (32 bytes) read from the L2"},
    {"l2_write", "energy.l2_write", "energy.l2_write_data",
     "energy of a sector (32 bytes) written to the L2 by stores and atomics"},
    {"dram_sector", "energy.dram_sector", "energy.dram_sector_data",
     "energy of a sector (32 bytes) between L2 and DRAM"},
}};

constexpr uint32_t kMostEnergy = 100'000'000;  // 100 nJ

}  // namespace

const char* work_name(Work work) { return kWorkFacts[static_cast<size_t>(work)].name; }

void EnergyParams::list(ParameterList& out) {
  out.number(
      "energy.idle_power", &idle_power, 0, 2000, "watts",
      "power of the board while no instruction issues; 0: the energies of the chip are unknown");
  out.number("energy.sms", &sms, 1, 1024, "SMs", "SMs of the chip, which share this power");
  out.number("energy.launch", &launch, 0, 1'000'000, "nanojoules",
             "energy of a launch in a series of launches, beyond that of its instructions");
  out.number("energy.launch_gap", &launch_gap, 0, 1'000'000, "nanoseconds",
             "time between two launches of a series, in which the board takes its idle power");
  out.number("energy.block", &block, 0, kMostEnergy, "picojoules",
             "energy of the start of a block");
  out.number("energy.activity", &activity, 0, 100, "percent",
             "share of bits that toggle in traces without values");
  for (size_t work = 0; work < kWorks; ++work) {
    const WorkFacts& facts = kWorkFacts[work];
    out.number(facts.base_key, &works[work].base, 0, kMostEnergy, "femtojoules", facts.help);
    if (facts.data_key != nullptr)
      out.number(facts.data_key, &works[work].data, 0, kMostEnergy, "femtojoules",
                 "further energy if half of the bits toggle");
  }
}

}  // namespace shflsim::model
