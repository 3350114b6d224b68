// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/global_memory/global_memory.h"

namespace shflsim::model {

inline ChipMemoryParams chip_of(uint32_t bytes, uint32_t l2_capacity = 0, bool warm = false) {
  ChipMemoryParams params;
  params.chip_bytes = bytes;
  params.l2_capacity = l2_capacity;
  params.l2_warm = warm ? 1 : 0;
  return params;
}

inline LineRequest sectors_of(uint64_t line, unsigned sectors, unsigned sm = 0,
                              bool is_partial = false) {
  return {sm, line, sectors, is_partial};
}

}  // namespace shflsim::model
