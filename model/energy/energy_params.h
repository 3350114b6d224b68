// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/core/parameter.h"

namespace shflsim::model {

/// The kinds of work that take energy. Each kind is counted in a unit of its own.
enum class Work : uint8_t {
  kIssue,            ///< every warp instruction: fetch, decode, issue
  kRegister,         ///< four bytes of a lane, read or written
  kUniform,          ///< warp instruction of the uniform data path
  kFixedPoint,       ///< lane
  kMultiplyAdd,      ///< lane
  kMultiply,         ///< lane: integer products
  kHalf,             ///< lane: two half-precision values
  kDouble,           ///< lane
  kMatrix,           ///< lane: its part of a product of 16 x 8 x 8 halves
  kSpecialFunction,  ///< lane: special functions, conversions
  kShuffle,          ///< lane of a pass of a crossbar
  kReduction,        ///< lane: REDUX, MATCH
  kConstant,         ///< lane: LDC, special registers
  kBarrier,          ///< lane
  kBranch,           ///< lane
  kSharedWavefront,  ///< wavefront
  kSharedWord,       ///< four bytes of a lane
  kAtomic,           ///< lane: of shared and of global memory
  kL1Wavefront,      ///< wavefront
  kL1Word,           ///< four bytes of a lane
  kL2Read,           ///< 32 bytes from the L2
  kL2Write,          ///< 32 bytes to the L2: stores, atomics
  kDramSector,       ///< 32 bytes between L2 and DRAM
  kCount
};
constexpr size_t kWorks = static_cast<size_t>(Work::kCount);
/// The name of the kind in the config: "issue", "fixed_point", ...
const char* work_name(Work work);

/// The energy of a chip's work, measured on the whole board. Per unit of work: the energy with data
/// whose bits do not toggle, and the further energy if half of the bits toggle.
struct EnergyParams {
  struct OfWork {
    uint32_t base = 0;  ///< femtojoules
    uint32_t data = 0;
  };
  std::array<OfWork, kWorks> works{};
  uint32_t idle_power = 0;  ///< watts of the whole board; 0: the energies are unknown
  uint32_t sms = 0;         ///< SMs of the chip
  uint32_t launch = 0;      ///< nanojoules per launch of a series, beyond the idle power
  uint32_t launch_gap = 0;  ///< nanoseconds between two launches of a series; the board idles
  uint32_t block = 0;       ///< picojoules per start of a block
  uint32_t activity = 0;    ///< percentage of bits that toggle in traces without values

  bool is_known() const { return idle_power != 0; }
  const OfWork& operator[](Work work) const { return works[static_cast<size_t>(work)]; }
  void list(ParameterList& out);
};

}  // namespace shflsim::model
