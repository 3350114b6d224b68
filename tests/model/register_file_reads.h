// SPDX-License-Identifier: Apache-2.0
/// A register file that reads the operands of math instructions.
#pragma once

#include <vector>

#include "model/register_file/register_file.h"

namespace shflsim::model {
namespace register_file_test {

constexpr unsigned kWarp = 3;

inline RegisterFileParams four_banks() {
  RegisterFileParams params;
  params.banks = 4;
  params.ports = 1;
  params.late_reads = "collectors";
  params.reuse_by = "collector_and_slot";
  params.duplicates = "twice";
  return params;
}

/// Two banks, like an H100's.
inline RegisterFileParams two_banks_that_freeze() {
  RegisterFileParams params = four_banks();
  params.banks = 2;
  params.late_reads = "freeze";
  params.window = 3;
  params.written = 6;
  params.missed = 8;
  params.reuse_entries = 1;
  params.reuse_by = "bank_and_slot";
  params.duplicates = "once";
  return params;
}

struct Operand {
  uint8_t index;
  bool reuse = false;
};

/// A math instruction that reads these registers at the positions A, B, C.
inline Facts reading(const std::vector<Operand>& operands) {
  Facts facts;
  for (const Operand& operand : operands) {
    const uint8_t position = facts.footprint.read_count++;
    facts.footprint.reads[position] = {operand.index, 1, position, operand.reuse};
  }
  facts.bank_reads = bank_reads(facts, WideReads::kEach);
  return facts;
}

class File {
 public:
  explicit File(const RegisterFileParams& params) : file_("register_file", params) {}
  RegisterFile::Read read(const Facts& facts, Cycle now, unsigned warp = kWarp) {
    return file_.read(facts, file_.plan(facts), warp, 0, now);
  }
  RegisterFile file_;
};

}  // namespace register_file_test
}  // namespace shflsim::model
