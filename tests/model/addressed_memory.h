// SPDX-License-Identifier: Apache-2.0
/// Global memory with known addresses, and accesses to it one at a time.
#pragma once

#include <functional>
#include <vector>

#include "model/global_memory/global_memory.h"

namespace shflsim::model {
namespace addressed_memory_test {

using Pattern = std::function<uint64_t(unsigned lane)>;

inline GlobalMemoryParams with_tags() {
  GlobalMemoryParams params;
  params.latency = 200;
  params.dram_latency = 500;
  params.interval = 2;
  params.store_latency = 2;
  params.l1_hit_rate = Parameter::kWord;
  params.l1_latency = 30;
  params.l1_interval = 1;
  params.l1_loads = "all";
  params.l1_storage.bytes = 4 * 128;
  params.l1_storage.candidates = 4096;
  params.l1_part = 2;
  params.l2_bytes = 64;
  params.atomic_latency = 400;
  params.atomic_interval = 2;
  params.store_buffer = 4;
  params.store_drain = 4;
  params.store_sector = 1;
  params.chip.chip_bytes = 1024;
  params.chip.l2_capacity = 64;
  params.chip.l2_warm = 1;
  return params;
}

inline Pattern words_from(uint64_t address) {
  return [address](unsigned lane) { return address + 4 * lane; };
}

class Memory {
 public:
  explicit Memory(const GlobalMemoryParams& params)
      : chip_("chip", params.chip), unit_("global_memory", params) {
    unit_.chip.bind(chip_);
    unit_.loads_have_passes = params.known_store.waiting != 0;
  }
  /// Returns the cycles from `now` to the result.
  Cycle load(const Pattern& pattern, Cycle now, uint8_t bytes = 4) {
    return access(AccessKind::kLoad, false, pattern, now, bytes);
  }
  Cycle past_l1(const Pattern& pattern, Cycle now) {
    return access(AccessKind::kPastL1Load, false, pattern, now, 4);
  }
  /// LDGSTS.BYPASS
  Cycle to_shared(const Pattern& pattern, Cycle now) {
    to_shared_ = true;
    return access(AccessKind::kPastL1Load, false, pattern, now, 4);
  }
  Cycle read_only(const Pattern& pattern, Cycle now) {
    return access(AccessKind::kReadOnlyLoad, false, pattern, now, 4);
  }
  Cycle store(const Pattern& pattern, Cycle now) {
    return access(AccessKind::kStore, true, pattern, now, 4);
  }
  Cycle atomic(const Pattern& pattern, Cycle now, uint8_t bytes = 4) {
    return access(AccessKind::kAtomic, false, pattern, now, bytes);
  }
  void drop_lines() { unit_.drop_lines(); }
  Cycle free_from(Cycle now) const { return unit_.free_from(0, now); }
  Cycle fence(Cycle now) { return unit_.fence(now); }
  uint64_t counted(const char* key) const {
    isa::Code code;
    code.lines.resize(1);
    code.lines[0].pipe = isa::Pipe::kGlobal;
    std::vector<StatColumn> columns;
    unit_.counts().add_to(code, &columns);
    for (const StatColumn& column : columns) {
      if (column.key == key) return column.values.at(0);
    }
    return StatColumn::kNone;
  }

 private:
  Cycle access(AccessKind kind, bool is_store, const Pattern& pattern, Cycle now, uint8_t bytes) {
    Facts facts;
    facts.pipe = isa::Pipe::kGlobal;
    facts.is_store = is_store;
    facts.access = {kind, false};
    facts.access_bytes = bytes;
    facts.loads_to_shared = to_shared_;
    traces::LaneAddresses addresses{};
    for (unsigned lane = 0; lane < isa::kLanes; ++lane) addresses[lane] = pattern(lane);
    MioRequest request;
    request.facts = &facts;
    request.payload = unit_.expect(addresses, isa::kAllLanes, facts, 0);
    return unit_.start(0, request, now).result - now;
  }

  bool to_shared_ = false;
  ChipMemory chip_;
  GlobalMemory unit_;
};

}  // namespace addressed_memory_test
}  // namespace shflsim::model
