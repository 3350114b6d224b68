// SPDX-License-Identifier: Apache-2.0
// printf and assert as nvcc's code calls them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "isa/machine/address_space.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kFormat = 4;     // R4 and R5
constexpr unsigned kArguments = 6;  // R6 and R7
constexpr unsigned kResult = 4;
// Registers of a failed assertion; addresses are in two registers.
constexpr unsigned kAssertion = 4;
constexpr unsigned kFile = 6;
constexpr unsigned kLine = 8;
constexpr unsigned kFunction = 10;
constexpr uint32_t kNoFormat = 0xFFFFFFFF;
constexpr size_t kMostText = size_t{1} << 20;  // the driver's buffer for all text has 1 MiB

uint64_t pair_of(const Execution& execution, unsigned first, unsigned lane) {
  return execution.warp.row(first)[lane] | uint64_t{execution.warp.row(first + 1)[lane]} << 32;
}

/// The memory of one lane, by generic addresses.
class LaneMemory {
 public:
  LaneMemory(Execution& execution, unsigned lane) : execution_(execution), lane_(lane) {}

  uint64_t read(uint64_t address, unsigned bytes) const {
    const Access access = locate(execution_, Space::kGeneric, address, bytes, lane_);
    uint64_t value = 0;
    access.storage->read(access.offset, &value, bytes);
    return value;
  }
  std::string text(uint64_t address) const {
    std::string text;
    while (const char c = static_cast<char>(read(address++, 1))) {
      if (text.size() == kMostText) fail("prints a text without an end");
      text += c;
    }
    return text;
  }
  [[noreturn]] void fail(const std::string& what) const { isa::fail(execution_, what, lane_); }

 private:
  Execution& execution_;
  const unsigned lane_;
};

/// One %[flags][width][.precision][size]type of a format.
struct Conversion {
  std::string flags;
  int width = 0;
  int precision = -1;  ///< none
  std::string size;
  char type = '\0';

  bool is_long() const { return size.find_first_of("lqjzt") != std::string::npos; }
};

template <class Value>
std::string converted(const Conversion& how, const char* size, Value value) {
  const std::string format = "%" + how.flags + "*.*" + size + how.type;
  const int length = std::snprintf(nullptr, 0, format.c_str(), how.width, how.precision, value);
  std::string text(static_cast<size_t>(std::max(length, 0)) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), how.width, how.precision, value);
  text.pop_back();
  return text;
}

/// The output of one lane.
class Printed {
 public:
  Printed(const LaneMemory& memory, std::string format, uint64_t arguments)
      : memory_(memory), format_(std::move(format)), arguments_(arguments) {
    while (at_ < format_.size()) {
      if (format_[at_] == '%') {
        take_conversion();
      } else {
        text_ += format_[at_++];
      }
      if (text_.size() > kMostText) memory_.fail("prints more than a MiB of text at once");
    }
  }

  const std::string& text() const { return text_; }
  uint32_t count() const { return count_; }

 private:
  std::string take_all_of(const char* letters) {
    const size_t end = std::min(format_.find_first_not_of(letters, at_), format_.size());
    std::string taken = format_.substr(at_, end - at_);
    at_ = end;
    return taken;
  }

  int take_number() {
    if (at_ < format_.size() && format_[at_] == '*') {
      ++at_;
      return limited(static_cast<int32_t>(argument(4)));
    }
    const std::string digits = take_all_of("0123456789").substr(0, 9);
    return digits.empty() ? 0 : limited(std::stoi(digits));
  }
  int limited(int number) const {
    constexpr int kMost = 1 << 16;
    if (number > kMost || number < -kMost)
      memory_.fail(fmt::format("prints in {} columns; expected {} at most", number, kMost));
    return number;
  }

  uint64_t argument(unsigned bytes) {
    place_ = (place_ + bytes - 1) / bytes * bytes;
    const uint64_t value = memory_.read(arguments_ + place_, bytes);
    place_ += bytes;
    ++count_;
    return value;
  }

  void take_conversion() {
    const size_t start = at_++;
    Conversion how;
    how.flags = take_all_of("-+ #0'");
    how.width = take_number();
    if (at_ < format_.size() && format_[at_] == '.') {
      ++at_;
      how.precision = take_number();
    }
    how.size = take_all_of("hlLqjzt");
    how.type = at_ < format_.size() ? format_[at_++] : '\0';
    text_ += how.type == '%' ? "%" : converted_argument(how, start);
  }

  /// A conversion that CUDA C++ does not have is printed unchanged.
  std::string converted_argument(const Conversion& how, size_t start) {
    switch (how.type) {
      case 'd':
      case 'i': return converted(how, "ll", signed_argument(how));
      case 'u':
      case 'o':
      case 'x':
      case 'X': return converted(how, "ll", unsigned_argument(how));
      case 'c': return converted(how, "", static_cast<int>(argument(4)));
      case 'p':  // NOLINTNEXTLINE(performance-no-int-to-ptr): it is printed, never followed
        return converted(how, "", reinterpret_cast<void*>(argument(8)));
      case 's': return converted(how, "", text_argument().c_str());
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': return converted(how, "", double_argument());
      default: return format_.substr(start, at_ - start);
    }
  }

  long long signed_argument(const Conversion& how) {
    const uint64_t bits = argument(how.is_long() ? 8 : 4);
    if (how.size == "hh") return static_cast<int8_t>(bits);
    if (how.size == "h") return static_cast<int16_t>(bits);
    return how.is_long() ? static_cast<int64_t>(bits) : static_cast<int32_t>(bits);
  }
  unsigned long long unsigned_argument(const Conversion& how) {
    const uint64_t bits = argument(how.is_long() ? 8 : 4);
    if (how.size == "hh") return static_cast<uint8_t>(bits);
    return how.size == "h" ? static_cast<uint16_t>(bits) : bits;
  }
  double double_argument() {
    const uint64_t bits = argument(8);
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  std::string text_argument() {
    const uint64_t address = argument(8);
    return address == 0 ? "(null)" : memory_.text(address);
  }

  const LaneMemory& memory_;
  const std::string format_;
  const uint64_t arguments_;
  size_t at_ = 0;       ///< position in the format
  uint64_t place_ = 0;  ///< address of the next argument
  uint32_t count_ = 0;
  std::string text_;
};

}  // namespace

void print_formatted(Execution& execution) {
  LaneValues counts{};
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const LaneMemory memory(execution, lane);
    const uint64_t format = pair_of(execution, kFormat, lane);
    counts[lane] = kNoFormat;
    if (format == 0) return;
    const Printed printed(memory, memory.text(format), pair_of(execution, kArguments, lane));
    counts[lane] = printed.count();
    const auto& print = execution.block.grid.options.print;
    if (print) print(printed.text());
  });
  execution.warp.write(kResult, execution.lanes, counts);
}

/// CUDA's message: file, line and function, block and thread, and the assertion.
void fail_assertion(Execution& execution) {
  if (execution.lanes == 0) return;
  const auto lane = static_cast<unsigned>(__builtin_ctz(execution.lanes));
  const LaneMemory memory(execution, lane);
  const auto text_in = [&](unsigned first) { return memory.text(pair_of(execution, first, lane)); };
  fail(execution,
       fmt::format("{}:{}: {}: assertion `{}` failed", text_in(kFile),
                   execution.warp.row(kLine)[lane], text_in(kFunction), text_in(kAssertion)),
       lane, LaunchFault::kAssert);
}

}  // namespace shflsim::isa
