// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/core/facts.h"
#include "model/core/parameter.h"

namespace shflsim::model {

/// Cycles from the issue of a fixed-latency instruction to the use of its result.
struct MathLatencies {
  uint32_t math = 0;
  uint32_t shared = 0;
  uint32_t global = 0;
  uint32_t predicate = 0;
  uint32_t double_precision = 0;
  uint32_t double_matrix = 0;
  uint32_t small_matrix = 0;
  uint32_t matrix = 0;
  uint32_t large_matrix = 0;

  void list(ParameterList& out) {
    out.number(
        "math.latency", &math, 1, 64, "cycles",
        "time from the issue of a fixed-latency instruction to the use of its result by another");
    out.number("math.shared_latency", &shared, 1, 64, "cycles",
               "time from the issue of a fixed-latency instruction to the use of its result by "
               "SHFL, shared memory or double precision (scoreboard)");
    out.number("math.global_latency", &global, 1, 64, "cycles",
               "time from the issue of a fixed-latency instruction to the use of its result by "
               "global memory or a special function (scoreboard)");
    out.number("math.predicate_latency", &predicate, 1, 64, "cycles",
               "time from the issue of a fixed-latency instruction to the use of its predicate");
    out.number("math.double_latency", &double_precision, 1, 256, "cycles",
               "time from the issue of a double-precision instruction to the use of its result");
    out.number("math.double_matrix_latency", &double_matrix, 1, 256, "cycles",
               "time from the issue of a DMMA to the use of its result");
    out.number("math.small_matrix_latency", &small_matrix, 1, 256, "cycles",
               "time from the issue of a matrix product to the use of its result, if A has one "
               "register, such as IMMA.8816 (scoreboard)");
    out.number("math.matrix_latency", &matrix, 1, 256, "cycles",
               "time from the issue of a matrix product to the use of its result, if A has two "
               "registers, such as HMMA.1688 (scoreboard)");
    out.number("math.large_matrix_latency", &large_matrix, 1, 256, "cycles",
               "time from the issue of a matrix product to the use of its result, if A has four "
               "registers, such as HMMA.16816 (scoreboard)");
  }

  /// Latency of a fixed-latency instruction to the use of its register.
  uint32_t fixed(const Facts& facts) const {
    if (facts.matrices == MatrixProduct::kNone || facts.pipe != isa::Pipe::kTensor) return math;
    const unsigned factor = facts.footprint.read_count == 0 ? 1 : facts.footprint.reads[0].count;
    return factor >= 4 ? large_matrix : factor >= 2 ? matrix : small_matrix;
  }
  /// Latency of a math instruction.
  uint32_t of(const Facts& facts) const {
    if (facts.matrices == MatrixProduct::kDouble) return double_matrix;
    if (facts.pipe == isa::Pipe::kDouble) return double_precision;
    const bool only_predicate =
        facts.footprint.write_count == 0 && facts.footprint.predicates_written != 0;
    return only_predicate ? predicate : math;
  }
};

}  // namespace shflsim::model
