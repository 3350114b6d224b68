// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/codec/arch.h"
#include "isa/machine/machine.h"

namespace shflsim::isa {

/// Constant bank 0 as the driver fills it: what code reads of the launch, and after that the
/// kernel's arguments. Words whose value the launch does not have are marked, so that no code reads
/// them as zero.
class LaunchBank {
 public:
  LaunchBank() = default;
  LaunchBank(const Program& program, const Launch& launch, const Extent& cluster,
             uint64_t workspace);

  /// Words that the launch does not fill are 0.
  void fill_rest() { filled_.clear(); }
  /// All bytes, arguments included, a multiple of 4.
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  /// True if the launch fills these bytes, or they are arguments or behind them.
  bool fills(uint64_t offset, size_t size) const;
  /// What a read of bytes that the launch does not fill is: their place, and the special register
  /// of PTX that ptxas reads there.
  static std::string name_of(Arch arch, uint64_t offset, size_t size);

 private:
  void put(uint32_t offset, uint32_t value);
  void put_long(uint32_t offset, uint64_t value);
  void put_extent(uint32_t offset, const Extent& extent);
  void put_clusters(Arch arch, const Extent& grid, const Extent& cluster);
  void put_shared(const Program& program, const Launch& launch);

  std::vector<uint8_t> bytes_;
  std::vector<bool> filled_;  ///< by word, below the arguments
};

/// Shared memory of a block in units of its allocation, without what the driver reserves:
/// %total_smem_size (PTX ISA, "Special Registers").
uint32_t total_shared(Arch arch, uint64_t declared);
/// True if the code reads where the block's reserved shared memory is: cooperative groups keep the
/// state of groups of several warps there.
bool uses_reserved_shared(const Program& program);
/// What the driver reserves of a block's shared memory (CUDA C++ Programming Guide, "Compute
/// Capabilities").
uint32_t reserved_shared(Arch arch);

}  // namespace shflsim::isa
