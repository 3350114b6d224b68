// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/core/cycle.h"
#include "model/core/module.h"
#include "model/core/parameter.h"
#include "traces/trace.h"

namespace shflsim::model {

/// The constant caches of an SM. They are empty at the start of a launch.
struct ConstantMemoryParams {
  uint32_t bytes = 0;  ///< size of each of the two caches; 0: constants always hit
  uint32_t line_bytes = 0;
  uint32_t ways = 0;
  uint32_t immediate_latency = 0;
  uint32_t load_latency = 0;
  uint32_t first_latency = 0;
  uint32_t cold_latency = 0;
  uint32_t misses = 0;
  uint32_t request = 0;

  void list(ParameterList& out);
};

/// Lines of constants have one numbering over all banks, each of which has at most 64 KiB.
constexpr uint32_t constant_line(uint32_t bank, uint64_t offset, uint32_t line_bytes) {
  constexpr uint32_t kBankBytes = 65536;
  return bank * (kBankBytes / line_bytes) + static_cast<uint32_t>(offset % kBankBytes) / line_bytes;
}

/// The constants, seen by issuing instructions.
class ConstantSource : public virtual sc_core::sc_interface {
 public:
  /// An instruction with an operand c[bank][offset], or ULDC, could otherwise issue at `now`.
  /// Returns the cycle in which it may issue.
  virtual Cycle immediate(uint32_t bank, uint32_t offset, Cycle now) = 0;
  /// LDC issues at `now`; returns the cycle in which the words that its lanes read are available.
  virtual Cycle load(uint32_t bank, const traces::LaneAddresses& offsets, isa::LaneMask lanes,
                     Cycle now) = 0;
};

/// Lines in sets of `ways`, replaced least recently used first. Several misses may be pending.
class ConstantCache {
 public:
  /// `turn`: further time of the first miss, because other SMs ask at the same time.
  ConstantCache(const ConstantMemoryParams& params, uint32_t latency, uint32_t turn);

  /// Returns the first cycle from `now` on in which the line is available. If it `is_first` to be
  /// requested, it takes longer, because it is further away. `there`: when the next level has it.
  Cycle ask(uint32_t line, bool is_first, Cycle now, Cycle there);

 private:
  static constexpr uint32_t kNothing = 0xFFFFFFFF;
  struct Way {
    uint32_t line = kNothing;
    Cycle since = 0;
    uint64_t used = 0;  ///< number of the last use
  };
  Cycle bring(Cycle latency, Cycle now);

  const uint32_t ways_in_set_;
  const uint32_t latency_;
  const uint32_t first_latency_;
  Cycle turn_;                 ///< 0 after the first miss
  std::vector<Way> ways_;      ///< set after set
  std::vector<Cycle> coming_;  ///< cycles in which the last misses arrive, as a ring
  size_t oldest_ = 0;
  uint64_t uses_ = 0;
};

/// Two equal caches that all sub-partitions share. One is for constants that are operands or go to
/// uniform registers; their warp waits for them. The other is for LDC, of which several may be
/// pending. Measured on an H200: neither cache has the lines of the other. If a launch starts with
/// empty caches, constants of all banks but bank 0 come in blocks of 256 bytes from further away;
/// the launch itself brings bank 0 (measured: cold_lines).
class ConstantMemory : public Module, public ConstantSource {
 public:
  /// `place`: of the SM among those of its GPC, which miss for the first time together.
  ConstantMemory(const sc_core::sc_module_name& name, const ConstantMemoryParams& params,
                 uint32_t place = 0);

  const char* kind() const override { return "ConstantMemory"; }
  const char* hardware() const override { return "caches of constants"; }
  const char* section() const override { return "constant_memory"; }

  Cycle immediate(uint32_t bank, uint32_t offset, Cycle now) override;
  Cycle load(uint32_t bank, const traces::LaneAddresses& offsets, isa::LaneMask lanes,
             Cycle now) override;

 private:
  Cycle there(uint32_t bank, uint64_t offset, Cycle now);
  bool is_first(uint32_t line) { return params_.first_latency != 0 && asked_.insert(line).second; }

  const ConstantMemoryParams params_;
  std::unordered_set<uint32_t> asked_;          ///< lines that were requested before
  std::unordered_map<uint32_t, Cycle> blocks_;  ///< when the blocks of a cold launch are there
  ConstantCache immediates_;
  ConstantCache loads_;
};

}  // namespace shflsim::model
