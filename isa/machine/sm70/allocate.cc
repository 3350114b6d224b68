// SPDX-License-Identifier: Apache-2.0
// malloc and free as nvcc's code calls them.
#include <fmt/format.h>

#include "isa/machine/address_space.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kPassed = 4;  // R4 and R5: the bytes, the address; also the result

uint64_t passed(const Execution& execution, unsigned lane) {
  return execution.warp.row(kPassed)[lane] | uint64_t{execution.warp.row(kPassed + 1)[lane]} << 32;
}

}  // namespace

void allocate_memory(Execution& execution) {
  LaneValues low{}, high{};
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const uint64_t address = execution.block.grid.memory.take_in_kernel(passed(execution, lane));
    low[lane] = static_cast<uint32_t>(address);
    high[lane] = static_cast<uint32_t>(address >> 32);
  });
  execution.warp.write(kPassed, execution.lanes, low);
  execution.warp.write(kPassed + 1, execution.lanes, high);
}

void free_memory(Execution& execution) {
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const uint64_t address = passed(execution, lane);
    if (address == 0 || execution.block.grid.memory.give_back_in_kernel(address)) return;
    fail(execution, fmt::format("frees 0x{:x}, which malloc did not return", address), lane,
         LaunchFault::kAddress);
  });
}

}  // namespace shflsim::isa
