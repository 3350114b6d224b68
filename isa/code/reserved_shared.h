// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/codec/arch.h"

namespace shflsim::isa {

/// Bytes of reserved shared memory before a block's own. From sm_90 on a kernel's section
/// .nv.shared contains both; ptxas -v counts only the block's own.
constexpr uint64_t reserved_shared_bytes(unsigned number) { return number >= 90 ? 1024 : 0; }

}  // namespace shflsim::isa
