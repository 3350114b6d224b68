// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "isa/footprint.h"
#include "isa/lane_map.h"

namespace shflsim::isa {

/// Operations of Volta and later that take the same way through the SM.
enum class TimingClass : uint8_t {
  kFloat,            ///< FFMA, FADD, FMUL
  kMultiply,         ///< IMAD but for its wide forms, VIADD: the multiply-add pipe for integers
  kInteger,          ///< IADD3, LOP3, ISETP, MOV, CS2R, ...: the ALU; also what is not named here
  kHalf,             ///< HFMA2, HADD2, HMUL2 but for HFMA2.MMA
  kDouble,           ///< DFMA, DADD, DMUL, DSETP
  kUniform,          ///< UMOV, ULDC, ...: the uniform data path
  kIssueOnly,        ///< NOP, DEPBAR, MEMBAR
  kBranch,           ///< BRA, BSSY, BSYNC, WARPSYNC, EXIT, ...
  kShuffle,          ///< SHFL
  kSharedLoad,       ///< LDS, LDSM, ATOMS
  kSharedStore,      ///< STS
  kSpecialFunction,  ///< MUFU, conversions, POPC, FLO, BREV
  kBarrier,          ///< BAR
  kSpecialRegister,  ///< S2R, S2UR
  kConstantLoad,     ///< LDC
  kGlobalLoad,       ///< LDG, LD, LDL, ATOMG
  kGlobalStore,      ///< STG, ST, STL, RED
  kWideMultiply,     ///< IMAD.WIDE, IMAD.HI: products of 64 bits
  kTensor,           ///< HFMA2.MMA, HMMA, IMMA: the matrix unit
  kReduction,        ///< REDUX, MATCH: over all lanes of a warp
};

/// One instruction of a Volta-and-later listing, as far as its timing depends on it. The text gives
/// the operation and its registers; the 128-bit word the control bits and SHFL's operands.
struct VoltaInstruction {
  uint32_t address = 0;  ///< byte address in the kernel, a multiple of 16
  std::string text;      ///< as listed, without the semicolon
  TimingClass timing = TimingClass::kInteger;
  Control control;
  Footprint footprint;  ///< reads: one a register operand of the text, wide ones once
  bool is_guarded = false;
  bool is_clock_read = false;
  bool is_exit = false;
  int64_t target = -1;  ///< BRA: address of its target
  /// SHFL: mode and operands; a register operand is named, an immediate one has its value.
  struct Shuffle {
    ShuffleMode mode = ShuffleMode::kIdx;
    bool index_is_register = false;
    bool clamp_is_register = false;
    uint32_t index = 0;
    uint32_t clamp = 0;
  } shuffle;
  int address_register = -1;  ///< shared memory: R of [R + offset]; -1 where there is none
  uint8_t access_bytes = 4;   ///< memory: bytes that a lane reads or writes
  uint8_t depbar_mask = 0;    ///< DEPBAR: scoreboards that it waits for...
  uint8_t depbar_most = 0;    ///< ...until at most so many operations are pending
};

}  // namespace shflsim::isa
