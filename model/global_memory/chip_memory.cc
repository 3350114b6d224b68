// SPDX-License-Identifier: Apache-2.0
#include "model/global_memory/chip_memory.h"

#include <algorithm>

namespace shflsim::model {
namespace {

constexpr uint32_t kKib = 1024;
constexpr uint32_t kCandidates = 3;  // assumed as measured for the L1

}  // namespace

void ChipMemoryParams::list(ParameterList& out) {
  out.number("global_memory.chip_bytes", &chip_bytes, 1, 65536, "bytes per cycle",
             "that the DRAM delivers to all SMs together");
  out.number("global_memory.l2_capacity", &l2_capacity, 0, 1048576, "KiB", "that the L2 holds");
  out.flag("global_memory.l2_warm", &l2_warm,
           "the L2 has what is asked for the first time, until it is full");
}

ChipMemory::ChipMemory(const sc_core::sc_module_name& name, const ChipMemoryParams& params)
    : Module(name),
      bytes_per_cycle_(params.chip_bytes),
      is_warm_(params.l2_warm != 0),
      l2_(params.l2_capacity * (kKib / kLineBytes), kCandidates) {}

Cycle ChipMemory::pass(uint64_t bytes, Cycle now) {
  const uint64_t start = std::max(now * bytes_per_cycle_, free_);
  free_ = start + bytes;
  return (start + bytes_per_cycle_ - 1) / bytes_per_cycle_;
}

MemoryPort::Fetched ChipMemory::fetch(uint64_t line, unsigned sectors, Cycle now) {
  if (is_in_l2(line)) return {now, false};
  return {pass(uint64_t{sectors} * kSectorBytes, now), true};
}

/// It is there from then on.
bool ChipMemory::is_in_l2(uint64_t line) {
  if (l2_.find(line) != nullptr) return true;
  const bool was_there = is_warm_ && !l2_.is_full();
  l2_.insert(line);
  return was_there;
}

}  // namespace shflsim::model
