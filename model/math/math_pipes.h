// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "model/core/cycle.h"
#include "model/core/facts.h"
#include "model/core/module.h"
#include "model/core/parameter.h"
#include "model/core/stats.h"

namespace shflsim::model {

struct MathParams {
  uint32_t fmai_interval = 0;
  uint32_t light_pipe = 0;
  uint32_t multiply_interval = 0;
  uint32_t wide_interval = 0;
  uint32_t wide_freeze = 0;
  uint32_t wide_settle = 0;
  uint32_t fxu_interval = 0;
  uint32_t double_interval = 0;
  uint32_t half_interval = 0;
  uint32_t tensor_interval = 0;
  uint32_t matrix_interval = 0;
  uint32_t large_matrix_interval = 0;
  uint32_t double_matrix_interval = 0;

  /// Cycles for which such a product occupies its pipe.
  uint32_t interval_of(MatrixProduct matrices) const {
    if (matrices == MatrixProduct::kDouble) return double_matrix_interval;
    return matrices == MatrixProduct::kLarge ? large_matrix_interval : matrix_interval;
  }
  void list(ParameterList& out) {
    out.number("math.fmai_interval", &fmai_interval, 1, 64, "cycles",
               "time that a warp instruction occupies the multiply-add pipe");
    out.number(
        "math.light_pipe", &light_pipe, 0, 1, "",
        "1: a second multiply-add pipe for single precision only, which has priority if it is "
        "free; half precision takes both");
    out.number("math.multiply_interval", &multiply_interval, 1, 64, "cycles",
               "time that an integer multiply-add of Volta and later occupies its pipe");
    out.number("math.wide_interval", &wide_interval, 1, 64, "cycles",
               "time that an integer multiply-add with a 64-bit product occupies its pipe");
    out.number("math.wide_freeze", &wide_freeze, 0, 64, "cycles",
               "time after a 64-bit product in which nothing issues and no stall count advances");
    out.number("math.wide_settle", &wide_settle, 0, 64, "cycles",
               "time from the issue of a producer to the end of this freeze, if the 64-bit product "
               "reads the producer's result");
    out.number("math.fxu_interval", &fxu_interval, 1, 64, "cycles",
               "time that a warp instruction occupies the fixed-point pipe");
    out.number("math.double_interval", &double_interval, 1, 128, "cycles",
               "time that a warp instruction occupies the double-precision pipe");
    out.number("math.half_interval", &half_interval, 1, 64, "cycles",
               "time between two half-precision warp instructions of Volta and later");
    out.number("math.tensor_interval", &tensor_interval, 1, 64, "cycles",
               "time between two HFMA2.MMA");
    out.number("math.matrix_interval", &matrix_interval, 1, 256, "cycles",
               "time that HMMA or IMMA occupies the tensor pipe");
    out.number("math.large_matrix_interval", &large_matrix_interval, 1, 256, "cycles",
               "time that a matrix product occupies the tensor pipe if A has four registers, such "
               "as HMMA.16816");
    out.number("math.double_matrix_interval", &double_matrix_interval, 1, 256, "cycles",
               "time that DMMA occupies the double-precision pipe");
  }
};

/// The math pipes of one sub-partition. An operation that two pipes can execute takes the pipe that
/// has been idle longer. If there is a light pipe beside the multiply-add pipe, single precision
/// takes it if it is free, integers never take it, and half precision takes both.
class MathPipes : public Module {
 public:
  MathPipes(const sc_core::sc_module_name& name, const MathParams& params);

  const char* kind() const override { return "MathPipes"; }
  const char* hardware() const override { return "math pipes"; }
  const char* section() const override { return "math"; }

  /// First cycle from `now` on in which an operation of this kind may issue.
  Cycle free_from(isa::Pipe wanted, Cycle now) const {
    return std::max(now, free_[static_cast<size_t>(wanted)]);
  }
  bool is_free(isa::Pipe wanted, Cycle now) const {
    return free_[static_cast<size_t>(wanted)] <= now;
  }
  [[gnu::always_inline]] void start(isa::Pipe wanted, Cycle now) {
    if (has_light_ && takes_multiply_add(wanted)) return start_beside_light(wanted, now);
    const size_t unit = choose(wanted);
    const uint32_t held =
        interval_[wanted == isa::Pipe::kFmaiFxu ? unit : static_cast<size_t>(wanted)];
    set_free(unit, now + held);
    busy_[unit] += held;
    ++operations_[unit];
  }
  /// The operation that started on the pipe at `now` holds it for `held` cycles.
  void hold(isa::Pipe pipe, uint32_t held, Cycle now) {
    const size_t unit = static_cast<size_t>(pipe);
    busy_[unit] += held - interval_[unit];
    set_free(unit, now + held);
  }
  /// The operation that started on the pipe holds it longer.
  void delay(isa::Pipe pipe, uint32_t cycles) {
    const size_t unit = static_cast<size_t>(pipe);
    busy_[unit] += cycles;
    if (has_light_ && unit == kFmai) {
      light_ += cycles;
      heavy_ += cycles;
      return note_light();
    }
    set_free(unit, free_[unit] + cycles);
  }
  /// The operation that started on the pipe will hold it for `held` cycles, after the operations
  /// that wait for the pipe; the next operation may issue at `next`.
  void queue(isa::Pipe pipe, uint32_t held, Cycle next) {
    const size_t unit = static_cast<size_t>(pipe);
    busy_[unit] += held - interval_[unit];
    set_free(unit, next);
  }
  /// The pipes are frozen for some cycles after `now`.
  void freeze(Cycle now, Cycle cycles);

  /// Statistics of the pipe with this number, below isa::kMathPipes, for the cycles before `end`.
  UnitStats stats(unsigned pipe, Cycle end) const {
    const bool has_two = has_light_ && pipe == kFmai;
    const uint64_t behind = has_two ? cycles_behind(end, light_) + cycles_behind(end, heavy_)
                                    : cycles_behind(end, free_[pipe]);
    const uint64_t held = std::min(busy_[pipe], behind);
    return {isa::pipe_name(static_cast<isa::Pipe>(pipe)), has_two ? 2u : 1u, busy_[pipe] - held,
            operations_[pipe]};
  }

 private:
  static constexpr size_t kFmai = static_cast<size_t>(isa::Pipe::kFmai);
  static constexpr size_t kFxu = static_cast<size_t>(isa::Pipe::kFxu);
  static constexpr size_t kKinds = static_cast<size_t>(isa::Pipe::kWideMultiply) + 1;

  static bool takes_multiply_add(isa::Pipe wanted) {
    return wanted == isa::Pipe::kFmai || wanted == isa::Pipe::kHalf ||
           wanted >= isa::Pipe::kMultiply;
  }
  [[gnu::always_inline]] void start_beside_light(isa::Pipe wanted, Cycle now) {
    const bool is_half = wanted == isa::Pipe::kHalf;
    const bool is_light = wanted == isa::Pipe::kFmai && light_ <= now;
    const size_t unit = is_half ? static_cast<size_t>(wanted) : kFmai;
    const uint32_t held = interval_[static_cast<size_t>(wanted)];
    if (is_light || is_half) light_ = now + held;
    if (!is_light) heavy_ = now + held;
    note_light();
    busy_[unit] += held;
    ++operations_[unit];
  }
  /// Updates the kinds of operations that use the multiply-add pipes.
  void note_light() {
    const auto place = [this](isa::Pipe kind) -> Cycle& {
      return free_[static_cast<size_t>(kind)];
    };
    free_[kFmai] = std::min(light_, heavy_);
    place(isa::Pipe::kHalf) = std::max(light_, heavy_);
    place(isa::Pipe::kMultiply) = place(isa::Pipe::kWideMultiply) = heavy_;
  }
  size_t choose(isa::Pipe wanted) const {
    if (wanted < isa::Pipe::kFmaiFxu) return static_cast<size_t>(wanted);
    return wanted == isa::Pipe::kFmaiFxu && free_[kFmai] > free_[kFxu] ? kFxu : kFmai;
  }
  void set_free(size_t unit, Cycle free) {
    free_[unit] = free;
    if (unit <= kFxu)
      note_shared();
    else
      others_free_ = std::max(others_free_, free);
  }
  /// Updates the kinds of operations that can use either of the first two pipes.
  void note_shared() {
    const auto place = [this](isa::Pipe kind) -> Cycle& {
      return free_[static_cast<size_t>(kind)];
    };
    place(isa::Pipe::kFmaiFxu) = std::min(free_[kFmai], free_[kFxu]);
    if (has_light_) return;
    place(isa::Pipe::kMultiply) = place(isa::Pipe::kWideMultiply) = free_[kFmai];
  }

  const std::array<uint32_t, kKinds> interval_;  ///< by isa::Pipe
  const bool has_light_;
  Cycle light_ = 0;  ///< first cycles in which the light pipe and the other are free
  Cycle heavy_ = 0;
  Cycle others_free_ = 0;             ///< no pipe behind the first two is held from this cycle on
  std::array<Cycle, kKinds> free_{};  ///< by pipe, and by kind of operation that several pipes take
  std::array<uint64_t, isa::kMathPipes> busy_{};
  std::array<uint64_t, isa::kMathPipes> operations_{};
};

}  // namespace shflsim::model
