// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/codec/arch.h"

namespace shflsim::isa {

/// Bytes of shared memory in front of a block's own. From sm_90 on a kernel's section .nv.shared
/// holds both, and ptxas -v counts the kernel's alone.
constexpr uint64_t reserved_shared_bytes(unsigned number) { return number >= 90 ? 1024 : 0; }

}  // namespace shflsim::isa
