// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "isa/footprint.h"
#include "model/core/parameter.h"
#include "model/run_result.h"

namespace shflsim::model {

struct RegisterFileParams {
  uint32_t banks = 0;
  uint32_t ports = 0;
  uint32_t backlog = 0;
  uint32_t reuse_entries = 0;

  void list(ParameterList& out) {
    out.number("register_file.banks", &banks, 1, 16, "banks",
               "register banks of a sub-partition; bank = register mod banks");
    out.number("register_file.ports", &ports, 1, 4, "reads per cycle",
               "read ports of a bank, each 32 lanes wide");
    out.number("register_file.backlog", &backlog, 0, 16, "cycles",
               "reads that a bank may be behind while the next instruction issues");
    out.number("register_file.reuse_entries", &reuse_entries, 0, 8, "entries",
               "registers that the reuse cache keeps for one operand slot");
  }
};

/// Register file of one sub-partition: single-ported banks of 32-lane registers, and per operand
/// slot a small cache of operands marked `.reuse`. Registers read twice by one instruction count
/// once; RZ, immediates and constants cost nothing (maxwell_isa.md 4.3).
class RegisterFile : public sc_core::sc_module {
 public:
  RegisterFile(const sc_core::sc_module_name& name, const RegisterFileParams& params);

  /// True where an instruction with these reads may issue at `now` without overtaking a bank.
  bool accepts(const isa::Footprint& footprint, Cycle now) const;
  /// First cycle from `now` on in which it may.
  Cycle accepts_from(const isa::Footprint& footprint, Cycle now) const;

  struct Read {
    Cycle done;          ///< cycle in which the last operand is there: now + 1 without conflicts
    uint32_t conflicts;  ///< cycles beyond the first that its own reads need
  };
  /// Reads the operands of an instruction of warp slot `warp`. Only math reads use the reuse cache.
  Read read(const isa::Footprint& footprint, unsigned warp, bool is_math, Cycle now);

  uint64_t reads() const { return reads_; }
  uint64_t reuse_hits() const { return reuse_hits_; }

 private:
  static constexpr unsigned kSlots = 3;
  static constexpr unsigned kMostBanks = 16;
  struct Entry {
    uint16_t tag = 0xFFFF;  ///< warp slot and register
  };
  using BankReads = std::array<uint8_t, kMostBanks>;

  bool take_reuse(const isa::RegisterRead& read, unsigned warp);
  BankReads bank_reads(const isa::Footprint& footprint, unsigned warp, bool is_math);

  const RegisterFileParams params_;
  std::array<Cycle, kMostBanks> bank_free_{};
  std::array<std::vector<Entry>, kSlots> reuse_;  ///< most recent first
  uint64_t reads_ = 0;
  uint64_t reuse_hits_ = 0;
};

}  // namespace shflsim::model
