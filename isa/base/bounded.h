// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isa/base/input_error.h"

namespace shflsim {

/// Checks of sizes, counts, offsets and depths that a file or a user states, before anything is
/// allocated, copied, looped over or called by them. The bound is what is left of the file, a limit
/// of the format or the hardware, or one of the limits below; a value beyond it is an InputError
/// that names both.

/// Limits that neither a format nor the hardware sets. Every file met so far is below them; a small
/// file cannot fill the host's memory.
constexpr uint64_t kMostSourceBytes = uint64_t{256} << 20;    ///< bytes of code, decompressed
constexpr uint64_t kMostVariableBytes = uint64_t{128} << 20;  ///< bytes of __device__ variables
constexpr uint64_t kMostSharedBytes = uint64_t{1} << 20;      ///< shared memory of a block
constexpr unsigned kMostNesting = 200;  ///< depth of brackets, blocks and calls

/// Limits of the hardware (CUDA C++ Programming Guide, "Technical Specifications", 5.x to 9.0).
constexpr uint64_t kMostThreads = 1024;                      ///< threads of a block
constexpr uint64_t kMostClusterBlocks = 16;                  ///< blocks of a cluster, sm_90
constexpr uint64_t kMostRegisters = 255;                     ///< registers of a thread
constexpr uint64_t kMostLocalBytes = uint64_t{512} << 10;    ///< local memory of a thread
constexpr uint64_t kMostConstantBytes = uint64_t{64} << 10;  ///< bytes of a constant bank

/// True if `size` bytes (or entries) from `offset` on are among the first `available`.
constexpr bool fits(uint64_t offset, uint64_t size, uint64_t available) {
  return offset <= available && size <= available - offset;
}

/// Sums and products that saturate at the highest number instead of wrapping, for comparison with
/// a limit.
constexpr uint64_t sum_of(uint64_t a, uint64_t b) { return a > ~b ? ~uint64_t{0} : a + b; }
constexpr uint64_t product_of(uint64_t a, uint64_t b) {
  return b != 0 && a > ~uint64_t{0} / b ? ~uint64_t{0} : a * b;
}

/// "WHAT of CLAIMED UNIT; expected MOST at most", for readers that throw their own errors.
std::string too_much(std::string_view what, uint64_t claimed, uint64_t most,
                     std::string_view unit = "");

/// Returns `claimed` if it is at most `most`; otherwise throws an InputError with the text above.
uint64_t bounded(uint64_t claimed, uint64_t most, std::string_view what, const Position& where,
                 std::string_view unit = "");

/// One level of brackets, blocks or calls during the object's lifetime. Throws InputError at
/// `where` if the depth would exceed kMostNesting.
class Nesting {
 public:
  Nesting(unsigned* depth, std::string_view what, const Position& where);
  ~Nesting() { --*depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  unsigned* depth_;
};

/// Reads a whole number of an input whose language does not define its own notation (PTX does):
/// decimal digits, also with leading zeros, or 0x and hexadecimal digits; no sign, space or suffix.
/// None if `text` is not such a number, or if the number has more than 64 bits.
std::optional<uint64_t> whole_number(std::string_view text);
/// Reads a number from 0 to `most`; otherwise throws InputError at `where` that begins with `what`.
uint64_t bounded_number(std::string_view text, uint64_t most, std::string_view what,
                        const Position& where);

}  // namespace shflsim
