// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/core/parameter.h"

namespace shflsim::model {

/// What an instruction spends energy on. Each kind of work is counted in a unit of its own.
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
  kShuffle,          ///< lane, and pass of a crossbar
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
/// "issue", "fixed_point", ...: as in the config.
const char* work_name(Work work);

/// What a chip's work costs in energy, measured on the whole board. Of each unit of work: with data
/// whose bits do not toggle, and what is added where half of them do.
struct EnergyParams {
  struct OfWork {
    uint32_t base = 0;  ///< femtojoules
    uint32_t data = 0;
  };
  std::array<OfWork, kWorks> works{};
  uint32_t idle_power = 0;  ///< watts of the whole board; 0: nothing is known
  uint32_t sms = 0;         ///< SMs of the chip
  uint32_t launch = 0;      ///< nanojoules of a launch of a row, beyond the idle power
  uint32_t launch_gap = 0;  ///< nanoseconds between two launches of a row, in which the board idles
  uint32_t block = 0;       ///< picojoules of a block's start
  uint32_t activity = 0;    ///< percent

  bool is_known() const { return idle_power != 0; }
  const OfWork& operator[](Work work) const { return works[static_cast<size_t>(work)]; }
  void list(ParameterList& out);
};

}  // namespace shflsim::model
