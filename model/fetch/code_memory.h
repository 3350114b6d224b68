// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/module.h"
#include "model/fetch/fetch_params.h"
#include "model/fetch/instruction_cache.h"

namespace shflsim::model {

/// The source of an L0's lines.
class CodeSource : public virtual sc_core::sc_interface {
 public:
  /// An L0 requests a line in cycle `now`. Returns the cycle in which the line arrives, without the
  /// latency between the two caches.
  virtual Cycle line(uint32_t line, Cycle now) = 0;
};

/// The code memory that the sub-partitions of an SM share: the L1, which delivers one line after
/// another, and behind it the L1.5, which fetches blocks of several lines from the chip's L2 and
/// prefetches the blocks that follow.
///
///   L0 of sub-partition[0..3] -> L1 -> L1.5 -> L2
class CodeMemory : public Module, public CodeSource {
 public:
  CodeMemory(const sc_core::sc_module_name& name, const FetchParams& params,
             const CodeLayout& layout);

  const char* kind() const override { return "CodeMemory"; }
  const char* hardware() const override { return "L1 and L1.5 instruction caches"; }
  const char* section() const override { return "fetch"; }

  Cycle line(uint32_t line, Cycle now) override;

 private:
  Cycle from_l15(uint32_t line, Cycle now);
  void bring_block(uint32_t block, Cycle now);

  const FetchParams params_;
  InstructionCache l1_;
  InstructionCache l15_;
  Cycle l1_free_ = 0;
  Cycle l15_free_ = 0;
};

}  // namespace shflsim::model
