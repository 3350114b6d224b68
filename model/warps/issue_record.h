// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/facts.h"
#include "model/core/resource.h"
#include "model/dependence/dependence.h"
#include "model/register_file/register_file.h"

namespace shflsim::model {

/// Who is asked when a warp runs into an instruction: fetch, the branch unit for the branch in
/// front of it.
enum class Point : uint8_t { kNone, kFetch, kBranch, kBoth };

/// Bits: a 64-bit product; a 64-bit product that reads the result of an instruction shortly before;
/// the instruction that it reads; a matrix product.
enum ProductRole : uint8_t {
  kProduct = 1,
  kFedProduct = 2,
  kFeedsProduct = 4,
  kMatrices = 8,
  kOfGroup = 16
};

/// What the scheduler and the dispatch ask of a static instruction, packed: the rest is in Facts.
struct IssueRecord {
  const Facts* facts = nullptr;
  uint32_t latency = 0;      ///< math instructions: cycles, issue to result
  RegisterFile::Plan reads;  ///< math instructions only
  uint16_t writes = 0;       ///< math instructions: banks, where their write ports are limited
  Resource resource = Resource::kNothing;
  uint8_t stall = 1;                  ///< cycles from its issue to the warp's next one
  bool waits_behind_barrier = false;  ///< MIO and branch instructions, behind a deferred barrier
  bool yields = false;                ///< another warp is preferred in the next cycle
  bool is_first_of_pair = false;      ///< the next instruction may issue in the same cycle
  bool is_noted = false;  ///< each issue is written down: a clock read, or there is an observer
  uint8_t product = 0;    ///< ProductRole bits: products and instructions shortly before them
  bool asks_constant = false;  ///< has a constant operand, which may miss
  bool may_wait = true;        ///< behind a barrier, for an earlier result or for a constant
  bool is_block_barrier = false;
  bool is_branch = false;       ///< lanes may part or meet there
  bool is_convergence = false;  ///< BSYNC
  bool is_indirect = false;     ///< jumps to where a register says
  bool is_looked_at =
      false;  ///< one of the first two, or a fence: its issue does more than take time
  Point point = Point::kNone;
  DependenceNeeds dependence;
};

/// What is known of each instruction before the run, by static index; the same for all
/// sub-partitions of a chip.
struct IssueTable {
  std::vector<Facts> facts;
  std::vector<IssueRecord> records;
};

}  // namespace shflsim::model
