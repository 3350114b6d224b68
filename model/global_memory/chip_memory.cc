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
  out.number("global_memory.l2_requests", &l2_requests, 0, 4096, "requests per cycle",
             "that the L2 takes of all SMs together: two sectors read, one written or half a one "
             "that is written in part; 0: any number");
  out.number("global_memory.atomic_word", &atomic_word, 0, 100000, "cycles / 100",
             "from an atomic to the next on the same line, of all SMs");
}

ChipMemory::ChipMemory(const sc_core::sc_module_name& name, const ChipMemoryParams& params)
    : Module(name),
      bytes_per_cycle_(params.chip_bytes),
      is_warm_(params.l2_warm != 0),
      requests_per_cycle_(params.l2_requests),
      hundredths_per_step_(params.atomic_word),
      l2_(params.l2_capacity * (kKib / kLineBytes), kCandidates),
      updated_(kUpdated) {}

Cycle ChipMemory::pass(uint64_t bytes, Cycle now) {
  const uint64_t start = std::max(now * bytes_per_cycle_, free_);
  free_ = start + bytes;
  return (start + bytes_per_cycle_ - 1) / bytes_per_cycle_;
}

/// When the slices have taken these requests, in the order of the calls.
Cycle ChipMemory::request(uint64_t requests, Cycle now) {
  if (requests_per_cycle_ == 0) return now;
  requested_ = std::max(now * requests_per_cycle_, requested_) + requests;
  return std::max(now, requested_ / requests_per_cycle_);
}

MemoryPort::Fetched ChipMemory::fetch(uint64_t line, unsigned sectors, Cycle now) {
  const Cycle taken = request((sectors + 1) / 2, now);
  if (is_in_l2(line)) return {taken, false};
  return {pass(uint64_t{sectors} * kSectorBytes, taken), true};
}

Cycle ChipMemory::write(uint64_t line, unsigned sectors, bool is_partial, Cycle now) {
  is_in_l2(line);
  return request(uint64_t{sectors} * (is_partial ? 2 : 1), now);
}

Cycle ChipMemory::update(uint64_t line, unsigned sectors, uint32_t steps, Cycle now) {
  constexpr uint64_t kHundred = 100;
  is_in_l2(line);
  uint64_t& done = updated_[line % kUpdated];
  const uint64_t start = std::max(request(uint64_t{2} * sectors, now) * kHundred, done);
  done = start + steps * hundredths_per_step_;
  return start / kHundred;
}

/// It is there from then on.
bool ChipMemory::is_in_l2(uint64_t line) {
  if (l2_.find(line) != nullptr) return true;
  const bool was_there = is_warm_ && !l2_.is_full();
  l2_.insert(line);
  return was_there;
}

}  // namespace shflsim::model
