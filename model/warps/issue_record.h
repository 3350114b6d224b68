// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/facts.h"
#include "model/core/resource.h"
#include "model/dependence/dependence.h"
#include "model/register_file/register_file.h"

namespace shflsim::model {

/// Which parts act when a warp reaches an instruction: fetch, and the branch unit for the branch
/// before it.
enum class Point : uint8_t { kNone, kFetch, kBranch, kBoth };

/// Bits: a 64-bit product; a 64-bit product that reads the result of an instruction shortly before;
/// that instruction; a matrix product; a product of a warp group.
enum ProductRole : uint8_t {
  kProduct = 1,
  kFedProduct = 2,
  kFeedsProduct = 4,
  kMatrices = 8,
  kOfGroup = 16
};

/// The facts of a static instruction for scheduler and dispatch, packed; others are in Facts.
struct IssueRecord {
  const Facts* facts = nullptr;
  uint32_t latency = 0;      ///< math instructions: cycles from issue to result
  RegisterFile::Plan reads;  ///< math instructions only
  uint16_t writes = 0;       ///< math instructions: banks, if write ports are limited
  Resource resource = Resource::kNothing;
  uint8_t stall = 1;                  ///< cycles from its issue to the warp's next issue
  bool waits_behind_barrier = false;  ///< MIO and branch instructions, after a deferred barrier
  bool yields = false;                ///< another warp is preferred in the next cycle
  bool is_first_of_pair = false;      ///< the next instruction may issue in the same cycle
  bool is_noted = false;       ///< each issue is recorded: a clock read, or there is an observer
  bool is_late_clock = false;  ///< a clock read that waits where late operands stop issue
  uint8_t product = 0;  ///< ProductRole bits of products, and of the instructions before them
  bool asks_constant = false;  ///< has a constant operand, which may miss
  bool is_plain = false;       ///< math whose issue only reads operands, takes a pipe and time
  bool runs_on = false;        ///< the same, and what follows may issue in the next cycle
  bool may_wait = true;        ///< for a barrier, an earlier result or a constant
  bool is_block_barrier = false;
  bool is_branch = false;       ///< lanes may diverge or converge there
  bool is_convergence = false;  ///< BSYNC
  bool is_indirect = false;     ///< jumps to an address in a register
  bool passes_queue = false;    ///< goes to the MIO, but does not wait in its queue
  bool is_looked_at =
      false;  ///< block barrier, branch, fence, ...: its issue does more than take time
  Point point = Point::kNone;
  DependenceNeeds dependence;
};

/// The facts about each instruction before the run, by static index; shared by all sub-partitions
/// of a chip.
struct IssueTable {
  std::vector<Facts> facts;
  std::vector<IssueRecord> records;
};

}  // namespace shflsim::model
