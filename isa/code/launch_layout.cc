// SPDX-License-Identifier: Apache-2.0
#include "isa/code/launch_layout.h"

#include <array>

namespace shflsim::isa {
namespace {

constexpr uint32_t kNo = LaunchLayout::kNowhere;
constexpr uint32_t kKiB = 1024;

constexpr LaunchLayout::Clusters kSm90Clusters = {0x140, 0x144, 0x150, 0x15c, 0x188};
constexpr LaunchLayout::Clusters kSm100Clusters = {0x36c, 0x2a0, 0x2b0, 0x2c0, 0x2cc};

constexpr LaunchLayout sm70_layout(uint32_t most_shared) {
  return {0x160, 0x0,         0xc,  0x28,  0x2c, 0x18,  0x20,  0x50, kNo, 0x8c, 0x90, false,
          0,     most_shared, 0x40, 0x160, 0x30, 0x10c, 0x120, kNo,  kNo, kNo,  {}};
}

constexpr LaunchLayout sm80_layout(uint32_t most_shared) {
  return {0x160,       0x0,  0xc,   0x28, 0x2c,  0x18,  0x20,  0x50,  0x118, 0x8c, 0x90, false, 0,
          most_shared, 0x40, 0x160, 0x30, 0x10c, 0x130, 0x114, 0x120, kNo,   {},   0,    0x128};
}

constexpr LaunchLayout sm100_layout(uint32_t most_shared, uint32_t warps) {
  return {0x380, 0x360, 0x370, 0x37c,    0x2ac,          kNo,   0x2f8, 0x120, 0x358,
          0x254, 0x258, false, 1 * kKiB, most_shared,    0x348, 0,     0x140, 0x2d0,
          0x2e8, 0x16c, 0x278, 0x2bc,    kSm100Clusters, warps, 0x2d8, 0xd0};
}

/// One row per Arch. Columns: parameters, block, grid, stack, dynamic shared memory, shared and
/// local window, bank 3, descriptor, workspace high and low, whether clusters run, reserved and
/// most shared memory, arguments and their offset, grid, SMs, graph, reserved shared memory and its
/// end, least shared memory, clusters, resident warps, fences of aliases, %envreg16. Special
/// registers of sm_70 and sm_72 are assumed where sm_75 has them. Dynamic shared memory of sm_50 is
/// assumed behind the stack, as later architectures have it.
constexpr std::array<LaunchLayout, kArches> kLayouts = {{
    {0x140, 0x8,       0x14, 0x20, 0x24, 0x0, 0x4, 0xd0, kNo, kNo, kNo, false,
     0,     48 * kKiB, kNo,  0,    kNo,  kNo, kNo, kNo,  kNo, kNo, {}},  // sm_50 to sm_62
    sm70_layout(96 * kKiB),                                              // sm_70
    sm70_layout(96 * kKiB),                                              // sm_72
    sm70_layout(64 * kKiB),                                              // sm_75
    sm80_layout(163 * kKiB),                                             // sm_80
    sm80_layout(99 * kKiB),                                              // sm_86
    sm80_layout(99 * kKiB),                                              // sm_89
    {0x210, 0x0,   0xc,  0x28,     0x2c,          kNo,   0x20, 0xd0, 0x208,
     0x44,  0x48,  true, 1 * kKiB, 227 * kKiB,    0x198, 0,    0x30, 0x10c,
     0x190, 0x114, 0x68, 0x13c,    kSm90Clusters, 64,    0x18c},  // sm_90
    sm100_layout(227 * kKiB, 64),                                 // sm_100
    sm100_layout(99 * kKiB, 48),                                  // sm_120
}};

}  // namespace

const LaunchLayout& launch_layout(Arch arch) { return kLayouts[static_cast<size_t>(arch)]; }

}  // namespace shflsim::isa
