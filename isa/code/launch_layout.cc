// SPDX-License-Identifier: Apache-2.0
#include "isa/code/launch_layout.h"

#include <array>

namespace shflsim::isa {
namespace {

constexpr uint32_t kNo = LaunchLayout::kNowhere;
constexpr uint32_t kKiB = 1024;

/// In the order of Arch. params block grid stack, windows: shared local, descriptor, shared memory
/// reserved, grid barrier, shared memory.
constexpr std::array<LaunchLayout, kArches> kLayouts = {{
    {0x140, 0x8, 0x14, 0x20, 0x0, 0x4, kNo, 0, kNo, 48 * kKiB},                  // sm_50 to sm_62
    {0x160, 0x0, 0xc, 0x28, 0x18, 0x20, kNo, 0, kNo, 96 * kKiB},                 // sm_70
    {0x160, 0x0, 0xc, 0x28, 0x18, 0x20, kNo, 0, kNo, 96 * kKiB},                 // sm_72
    {0x160, 0x0, 0xc, 0x28, 0x18, 0x20, kNo, 0, 0x8c, 64 * kKiB},                // sm_75
    {0x160, 0x0, 0xc, 0x28, 0x18, 0x20, 0x118, 0, 0x8c, 163 * kKiB},             // sm_80
    {0x160, 0x0, 0xc, 0x28, 0x18, 0x20, 0x118, 0, 0x8c, 99 * kKiB},              // sm_86
    {0x160, 0x0, 0xc, 0x28, 0x18, 0x20, 0x118, 0, 0x8c, 99 * kKiB},              // sm_89
    {0x210, 0x0, 0xc, 0x28, kNo, 0x20, 0x208, 1 * kKiB, 0x44, 227 * kKiB},       // sm_90
    {0x380, 0x360, 0x370, 0x37c, kNo, 0x2f8, 0x358, 1 * kKiB, kNo, 227 * kKiB},  // sm_100
    {0x380, 0x360, 0x370, 0x37c, kNo, 0x2f8, 0x358, 1 * kKiB, kNo, 99 * kKiB},   // sm_120
}};

}  // namespace

const LaunchLayout& launch_layout(Arch arch) { return kLayouts[static_cast<size_t>(arch)]; }

}  // namespace shflsim::isa
