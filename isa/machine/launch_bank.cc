// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/launch_bank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/code/launch_layout.h"
#include "isa/machine/address_space.h"
#include "isa/machine/bit_tools.h"

namespace shflsim::isa {
namespace {

/// The number n of %envreg0 to %envreg31 (PTX ISA) at a word; -1 if there is none.
int environment_at(const LaunchLayout& layout, uint64_t word) {
  if (layout.workspace_high == LaunchLayout::kNowhere) return -1;
  const bool is_split = layout.environment_end != LaunchLayout::kNowhere;
  const auto number = [word](uint64_t first, uint32_t count) {
    return word >= first && word < first + 4 * count ? static_cast<int>(word - first) / 4 : -1;
  };
  const int low = number(layout.workspace_high - uint64_t{4}, is_split ? 16u : 32u);  // %envreg1
  if (low >= 0 || !is_split) return low;
  const int high = number(layout.environment_end, 16u);
  return high < 0 ? high : 16 + high;
}

/// The special register of PTX that ptxas reads at a word; "" if none is known.
std::string register_at(const LaunchLayout& layout, uint64_t word) {
  if (word == layout.sm_count) return "%nsmid";
  if (word == layout.grid_id || word == layout.grid_id + uint64_t{4}) return "%gridid";
  const int environment = environment_at(layout, word);
  if (environment >= 0) return fmt::format("%envreg{}", environment);
  return "";
}

}  // namespace

bool uses_reserved_shared(const Program& program) {
  const uint32_t first = launch_layout(program.arch).reserved_end;
  if (first == LaunchLayout::kNowhere) return false;
  const auto reads = [first](const Operand& each) {
    return each.is(Operand::Kind::kConstant) && each.bank == 0 &&
           (each.value == first || each.value == first + int64_t{4});
  };
  return std::any_of(program.code.begin(), program.code.end(), [&](const Instruction& each) {
    return std::any_of(each.operands.begin(), each.operands.end(), reads);
  });
}

uint32_t reserved_shared(Arch arch) {
  constexpr uint32_t kReserved = 1024;
  return launch_layout(arch).reserved_size == LaunchLayout::kNowhere ? 0 : kReserved;
}

uint32_t total_shared(Arch arch, uint64_t declared) {
  const uint64_t unit = reserved_shared(arch) == 0 ? 256 : 128;
  return static_cast<uint32_t>((declared + unit - 1) / unit * unit);
}

LaunchBank::LaunchBank(const Program& program, const Launch& launch, const Extent& cluster,
                       uint64_t workspace) {
  const LaunchLayout& layout = launch_layout(program.arch);
  const Windows& windows = windows_of(family_of(program.arch));
  bytes_.resize(layout.parameters);
  filled_.resize(layout.parameters / 4);
  const bool is_long = family_of(program.arch) == Family::kSm70;
  const auto put_window = [&](uint32_t offset, uint64_t base) {
    is_long ? put_long(offset, base) : put(offset, static_cast<uint32_t>(base));
  };
  put_window(layout.shared_window, windows.shared);
  put_window(layout.local_window, windows.local);
  put_long(layout.constants, launch.constant_address);
  put_window(layout.arguments, LaunchLayout::kArgumentsAddress - layout.arguments_offset);
  put_long(layout.descriptor, 0);  // execution ignores it
  put_extent(layout.block, launch.block);
  put_extent(layout.grid, launch.grid);
  put(layout.stack, launch.local_bytes);
  // Both are 0 in a launch that is not cooperative (cooperative_groups/details, CUDA 13.0).
  put(layout.workspace_high, static_cast<uint32_t>(workspace >> 32));
  put(layout.workspace_low, static_cast<uint32_t>(workspace));
  put(layout.alias_fence, 0);  // assumed; both kinds of fences have the same values
  put_long(layout.graph, 0);   // no launch is of a graph that runs on the device (PTX ISA)
  if (launch.chip_sms != 0) put(layout.sm_count, launch.chip_sms);
  if (launch.number != 0) put_long(layout.grid_id, launch.number);
  put_shared(program, launch);
  put_clusters(program.arch, launch.grid, cluster);
  bytes_.insert(bytes_.end(), launch.parameters.begin(), launch.parameters.end());
  bytes_.resize((bytes_.size() + 3) / 4 *
                4);  // a last argument of one byte is read as part of its word
}

void LaunchBank::put(uint32_t offset, uint32_t value) {
  if (offset == LaunchLayout::kNowhere) return;
  std::memcpy(bytes_.data() + offset, &value, sizeof value);
  filled_[offset / 4] = true;
}

void LaunchBank::put_long(uint32_t offset, uint64_t value) {
  if (offset == LaunchLayout::kNowhere) return;
  put(offset, static_cast<uint32_t>(value));
  put(offset + 4, static_cast<uint32_t>(value >> 32));
}

void LaunchBank::put_extent(uint32_t offset, const Extent& extent) {
  put(offset, extent.x);
  put(offset + 4, extent.y);
  put(offset + 8, extent.z);
}

/// Sizes of the block's shared memory (measured: an H100; SR_SMEMSZ is their sum in units), and
/// where the reserved part is: in front of the block's own from sm_90 on, behind it before.
void LaunchBank::put_shared(const Program& program, const Launch& launch) {
  const LaunchLayout& layout = launch_layout(program.arch);
  const uint32_t reserved = reserved_shared(program.arch);
  put(layout.dynamic_shared, launch.shared_bytes);
  put(layout.reserved_size, reserved);
  if (layout.reserved_end != LaunchLayout::kNowhere) {
    // Cooperative groups take 288 bytes from %reserved_smem_offset_1 on (cooperative_groups, CUDA
    // 13.0, details/memory.h); where in the reserved KiB is assumed.
    constexpr uint32_t kSecond = 512;
    const uint64_t declared = uint64_t{program.shared_bytes} + launch.shared_bytes;
    const uint32_t first = layout.reserved_shared != 0 ? 0 : total_shared(program.arch, declared);
    put(layout.reserved_end, first + reserved);
    put(layout.reserved_end + 4, first + kSecond);
  }
  put(layout.shared_limit, reserved + program.shared_bytes + launch.shared_bytes);
}

/// Whether there are clusters, their size and its reciprocals, with which code divides, the number
/// of clusters in the grid, and blocks of one.
void LaunchBank::put_clusters(Arch arch, const Extent& grid, const Extent& cluster) {
  const LaunchLayout::Clusters& at = launch_layout(arch).clusters;
  if (at.sizes == LaunchLayout::kNowhere) return;
  put(at.flag, cluster.count() > 1 ? 1 : 0);
  put_extent(at.sizes, cluster);
  const auto reciprocal = [](uint32_t size) { return bits_of(1.0f / static_cast<float>(size)); };
  put_extent(at.reciprocals, {reciprocal(cluster.x), reciprocal(cluster.y), reciprocal(cluster.z)});
  put_extent(at.numbers, {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z});
  put(at.count, static_cast<uint32_t>(cluster.count()));
}

bool LaunchBank::fills(uint64_t offset, size_t size) const {
  const uint64_t end = std::min<uint64_t>((offset + size + 3) / 4, filled_.size());
  for (uint64_t word = offset / 4; word < end; ++word) {
    if (!filled_[word]) return false;
  }
  return true;
}

std::string LaunchBank::name_of(Arch arch, uint64_t offset, size_t size) {
  const std::string name = register_at(launch_layout(arch), offset / 4 * 4);
  return fmt::format(
      "reads {} bytes at 0x{:x} of constant bank 0{}, which this launch does not "
      "fill; expected code that does not read them{}",
      size, offset, name.empty() ? "" : " (" + name + ")",
      name == "%nsmid" || name == "%gridid" ? ", or a program that shflsim exec runs" : "");
}

}  // namespace shflsim::isa
