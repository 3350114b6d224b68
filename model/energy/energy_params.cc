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
    {"issue", "energy.issue", nullptr, "of a warp instruction, whatever it does"},
    {"register", "energy.register", "energy.register_data",
     "of a register of a lane that is read or written"},
    {"uniform", "energy.uniform", nullptr, "of an instruction of the uniform data path"},
    {"fixed_point", "energy.fixed_point", "energy.fixed_point_data",
     "of a lane of the fixed-point pipe"},
    {"multiply_add", "energy.multiply_add", "energy.multiply_add_data",
     "of a lane of the multiply-add pipe"},
    {"multiply", "energy.multiply", "energy.multiply_data", "of a lane of an integer product"},
    {"half", "energy.half", "energy.half_data", "of a lane of the half-precision pipe"},
    {"double", "energy.double", "energy.double_data", "of a lane of the double-precision pipe"},
    {"matrix", "energy.matrix", "energy.matrix_data",
     "of a lane's part of a product of 16 x 8 x 8 halves"},
    {"special_function", "energy.special_function", "energy.special_function_data",
     "of a lane of special functions and conversions"},
    {"shuffle", "energy.shuffle", "energy.shuffle_data", "of a lane of a pass of a crossbar"},
    {"reduction", "energy.reduction", "energy.reduction_data", "of a lane of REDUX and MATCH"},
    {"constant", "energy.constant", "energy.constant_data",
     "of a lane of LDC and of reads of special registers"},
    {"barrier", "energy.barrier", nullptr, "of a lane at a barrier"},
    {"branch", "energy.branch", nullptr, "of a lane of the branch unit"},
    {"shared_wavefront", "energy.shared_wavefront", nullptr, "of a wavefront of shared memory"},
    {"shared_word", "energy.shared_word", "energy.shared_word_data",
     "of four bytes of a lane of shared memory"},
    {"atomic", "energy.atomic", "energy.atomic_data", "of a lane of an atomic"},
    {"l1_wavefront", "energy.l1_wavefront", nullptr, "of a wavefront of the L1"},
    {"l1_word", "energy.l1_word", "energy.l1_word_data", "of four bytes of a lane in the L1"},
    {"l2_read", "energy.l2_read", "energy.l2_read_data", "of 32 bytes that come from the L2"},
    {"l2_write", "energy.l2_write", "energy.l2_write_data",
     "of 32 bytes that stores and atomics bring to the L2"},
    {"dram_sector", "energy.dram_sector", "energy.dram_sector_data",
     "of 32 bytes between L2 and DRAM"},
}};

constexpr uint32_t kMostEnergy = 100'000'000;  // 100 nJ

}  // namespace

const char* work_name(Work work) { return kWorkFacts[static_cast<size_t>(work)].name; }

void EnergyParams::list(ParameterList& out) {
  out.number("energy.idle_power", &idle_power, 0, 2000, "watts",
             "of the whole board where no instruction issues; 0: the chip's energies are unknown");
  out.number("energy.sms", &sms, 1, 1024, "SMs", "SMs of the chip, for their share of that power");
  out.number("energy.launch", &launch, 0, 1'000'000, "nanojoules",
             "of a launch in a row of launches, besides its instructions");
  out.number("energy.block", &block, 0, kMostEnergy, "picojoules", "of the start of a block");
  out.number("energy.activity", &activity, 0, 100, "percent",
             "bits that toggle, of traces that have no values");
  for (size_t work = 0; work < kWorks; ++work) {
    const WorkFacts& facts = kWorkFacts[work];
    out.number(facts.base_key, &works[work].base, 0, kMostEnergy, "femtojoules", facts.help);
    if (facts.data_key != nullptr)
      out.number(facts.data_key, &works[work].data, 0, kMostEnergy, "femtojoules",
                 "more where half of the bits toggle");
  }
}

}  // namespace shflsim::model
