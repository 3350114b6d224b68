// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/core/cycle.h"
#include "model/core/facts.h"
#include "model/core/module.h"
#include "model/core/parameter.h"

namespace shflsim::model {

struct GroupProductParams {
  uint32_t meeting = 0;
  uint32_t shared_start = 0;
  uint32_t register_start = 0;
  uint32_t result = 0;
  uint32_t integer_result = 0;
  uint32_t columns = 0;
  uint32_t shared_bytes = 0;
  uint32_t least_interval = 0;
  uint32_t queue = 0;
  uint32_t reads_first = 0;
  uint32_t fmai_share = 0;
  uint32_t fxu_share = 0;
  uint32_t special_share = 0;

  void list(ParameterList& out) {
    out.number("gmma.meeting", &meeting, 1, 256, "cycles",
               "time from the last warp's WARPGROUP.ARRIVE to the products of the other warps of "
               "its group");
    out.number("gmma.shared_start", &shared_start, 1, 256, "cycles",
               "time from the issue of a warp-group product to its start, with A in shared memory");
    out.number("gmma.register_start", &register_start, 1, 256, "cycles",
               "time from the issue of a warp-group product to its start, with A in registers");
    out.number("gmma.result", &result, 1, 256, "cycles",
               "time from the last column of a warp-group product to the end of a wait for it");
    out.number("gmma.integer_result", &integer_result, 1, 256, "cycles",
               "time from the last column of an IGMMA to the end of a wait for it");
    out.number(
        "gmma.columns", &columns, 1, 64, "columns a cycle",
        "columns of D computed per cycle: 64 rows of 32 bytes of A times one column of B each");
    out.number("gmma.shared_bytes", &shared_bytes, 16, 1024, "bytes a cycle",
               "bytes of A and B that the matrix units of the warp group read from shared memory");
    out.number("gmma.least_interval", &least_interval, 1, 256, "cycles",
               "least time between the starts of two warp-group products");
    out.number(
        "gmma.queue", &queue, 1, 16, "products",
        "products that wait for their start; with a full queue the next product does not issue");
    out.flag("gmma.reads_first", &reads_first,
             "1: accesses to shared memory, shuffles, and stores wait while a warp-group product "
             "reads A or B from shared memory");
    out.number("gmma.fmai_share", &fmai_share, 0, 1000, "hundredths of a cycle",
               "further time that an operation occupies the multiply-add pipe while a warp-group "
               "product reads and writes registers");
    out.number("gmma.fxu_share", &fxu_share, 0, 1000, "hundredths of a cycle",
               "further time that an operation occupies the fixed-point pipe while a warp-group "
               "product reads and writes registers");
    out.number("gmma.special_share", &special_share, 0, 1000, "hundredths of a cycle",
               "further time that an operation occupies the special function unit while a "
               "warp-group product reads and writes registers");
  }
};

/// The queue of a sub-partition's matrix unit for products of a group of four warps. Each of the
/// four warps is in another sub-partition, whose unit computes 16 rows. The units run in step,
/// because their products have the same shape.
class GroupProducts : public Module {
 public:
  GroupProducts(const sc_core::sc_module_name& name, const GroupProductParams& params)
      : Module(name), params_(params) {}

  const char* kind() const override { return "GroupProducts"; }
  const char* hardware() const override {
    return "queue of the matrix unit for warpgroup products";
  }
  const char* section() const override { return "gmma"; }

  struct Times {
    uint32_t held = 0;   ///< cycles for which the product occupies the matrix unit
    Cycle next = 0;      ///< cycle in which the next product may issue
    Cycle result = 0;    ///< cycle in which a wait for the product ends
    Cycle reads = 0;     ///< cycle in which it begins to read A from shared memory...
    Cycle reads_b = 0;   ///< ...and B...
    Cycle has_read = 0;  ///< ...and has read both
  };
  /// Issues a product.
  Times start(const isa::GroupProduct& product, Cycle now);
  /// True if a product occupies the matrix unit at `now`.
  bool is_busy(Cycle now) const { return now < free_ && (now >= begin_ || now < gap_); }
  /// Whole cycles by which a product delays an operation; `share`: its share, in hundredths.
  uint32_t take_turns(uint32_t share) {
    owed_ += share;
    const uint32_t cycles = owed_ / 100;
    owed_ %= 100;
    return cycles;
  }
  const GroupProductParams& params() const { return params_; }
  /// Cycles from the issue of a product to its result if no product is before it.
  Cycle latency_of(const isa::GroupProduct& product) const {
    return start_of(product) + behind_start(product);
  }

 private:
  static constexpr size_t kMostQueued = 16;

  uint32_t start_of(const isa::GroupProduct& product) const {
    return product.is_shared ? params_.shared_start : params_.register_start;
  }
  uint32_t interval_of(const isa::GroupProduct& product) const;
  /// Cycles from the start of a product to its result.
  uint32_t behind_start(const isa::GroupProduct& product) const;

  const GroupProductParams params_;
  std::array<Cycle, kMostQueued> starts_{};  ///< starts of the last products; a circular buffer
  size_t count_ = 0;                         ///< products so far
  uint32_t owed_ = 0;                        ///< delay not yet returned by take_turns(), hundredths
  Cycle gap_ = 0;                            ///< end of the products before those from begin_ on
  Cycle begin_ = 0;                          ///< start of the last products without a gap
  Cycle free_ = 0;                           ///< first cycle in which the next product may start
};

}  // namespace shflsim::model
