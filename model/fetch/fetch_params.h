// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/code/code.h"
#include "model/core/parameter.h"

namespace shflsim::model {

/// The code path of a warp: its instruction buffer, the L0 of its sub-partition, the L1 of the SM,
/// an L1.5 further away, and the chip's L2, which holds everything.
struct FetchParams {
  uint32_t latency = 0;
  uint32_t branch_latency = 0;
  uint32_t second_line = 0;
  uint32_t buffer = 0;
  uint32_t warm = 0;
  uint32_t warm_l0 = 0;
  uint32_t line_bytes = 0;
  uint32_t l0_bytes = 0;
  uint32_t l0_latency = 0;
  uint32_t stream = 0;
  uint32_t ahead = 0;
  uint32_t l1_bytes = 0;
  uint32_t l1_ways = 0;
  uint32_t l1_interval = 0;
  uint32_t l1_latency = 0;
  uint32_t l15_bytes = 0;
  uint32_t l15_ways = 0;
  uint32_t l15_lines = 0;
  uint32_t l15_stream = 0;
  uint32_t l15_interval = 0;
  uint32_t l15_latency = 0;
  uint32_t launch_bytes = 0;
  uint32_t launch_latency = 0;

  /// The L0s hold the kernel's first lines when it starts.
  bool fills_l0() const { return warm != 0 && warm_l0 != 0; }
  void list(ParameterList& out);
  /// What is behind the L1.
  void list_far(ParameterList& out);
};

/// A kernel's code in lines of the L0.
struct CodeLayout {
  uint32_t per_line = 1;  ///< instructions in a line
  uint32_t lines = 0;

  CodeLayout() = default;
  CodeLayout(size_t instructions, const isa::FamilyFacts& family, uint32_t line_bytes)
      : per_line(line_bytes / family.bundle_bytes * family.bundle_instructions),
        lines(static_cast<uint32_t>((instructions + per_line - 1) / per_line)) {}
};

}  // namespace shflsim::model
