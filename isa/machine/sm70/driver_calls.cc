// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/sm70/driver_calls.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "isa/machine/address_space.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kFirstArgument = 4;  // register
constexpr size_t kMostText = 1024;      // bytes of a text that is printed, and of one part of it

uint64_t argument(const Execution& execution, unsigned pair, unsigned lane) {
  const unsigned low = kFirstArgument + 2 * pair;
  return uint64_t{execution.warp.row(low + 1)[lane]} << 32 | execution.warp.row(low)[lane];
}

template <class Value>
Value read(Execution& execution, uint64_t address, unsigned lane) {
  Value value;
  const Access access = locate(execution, Space::kGeneric, address, sizeof value, lane);
  access.storage->read(access.offset, &value, sizeof value);
  return value;
}

std::string text_at(Execution& execution, uint64_t address, unsigned lane) {
  std::string text;
  if (address == 0) return "(null)";
  while (text.size() < kMostText) {
    const char letter = read<char>(execution, address + text.size(), lane);
    if (letter == '\0') break;
    text += letter;
  }
  return text;
}

/// The arguments of a printf, one behind the other, each at a multiple of its size.
class PrintArguments {
 public:
  PrintArguments(Execution& execution, uint64_t address, unsigned lane)
      : execution_(execution), address_(address), lane_(lane) {}

  template <class Value>
  Value next() {
    ++count_;
    at_ = (at_ + sizeof(Value) - 1) / sizeof(Value) * sizeof(Value);
    const auto value = read<Value>(execution_, address_ + at_, lane_);
    at_ += sizeof(Value);
    return value;
  }
  std::string text() { return text_at(execution_, next<uint64_t>(), lane_); }
  uint32_t count() const { return count_; }  ///< arguments read

 private:
  Execution& execution_;
  uint64_t address_;
  unsigned lane_;
  uint64_t at_ = 0;
  uint32_t count_ = 0;
};

template <class Value>
std::string formatted(const std::string& part, Value value) {
  char text[kMostText];
  // The part is one conversion, whose type has been looked at.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::snprintf(text, sizeof text, part.c_str(), value);
#pragma GCC diagnostic pop
  return text;
}

/// One conversion, "%-5.2f", with the next argument. "" for one that CUDA does not have.
std::string converted(std::string part, PrintArguments& arguments) {
  const char kind = part.back();
  const bool is_long = part.find('l') != std::string::npos;
  const auto star = part.find('*');
  if (star != std::string::npos) part.replace(star, 1, std::to_string(arguments.next<int32_t>()));
  switch (kind) {
    case 'd':
    case 'i':
      return is_long ? formatted(part, arguments.next<int64_t>())
                     : formatted(part, arguments.next<int32_t>());
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      return is_long ? formatted(part, arguments.next<uint64_t>())
                     : formatted(part, arguments.next<uint32_t>());
    case 'c': return formatted(part, arguments.next<int32_t>());
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': return formatted(part, arguments.next<double>());
    case 's': return formatted(part, arguments.text().c_str());
    case 'p': return formatted(part, reinterpret_cast<const void*>(arguments.next<uint64_t>()));
    default: return "";
  }
}

std::string printed(const std::string& format, PrintArguments& arguments) {
  std::string text;
  for (size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') {
      text += format[at];
      continue;
    }
    if (format.compare(at, 2, "%%") == 0) {
      text += format[++at];
      continue;
    }
    const size_t end = format.find_first_not_of("-+ #0123456789.*hl", at + 1);
    if (end == std::string::npos) return text + format.substr(at);
    text += converted(format.substr(at, end + 1 - at), arguments);
    at = end;
  }
  return text;
}

void print(Execution& execution) {
  LaneValues results{};
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const std::string format = text_at(execution, argument(execution, 0, lane), lane);
    PrintArguments arguments(execution, argument(execution, 1, lane), lane);
    const std::string text = printed(format, arguments);
    if (execution.block.grid.options.print) execution.block.grid.options.print(text);
    results[lane] = arguments.count();
  });
  execution.warp.write(kFirstArgument, execution.lanes, results);
}

/// As CUDA words it: file, line and function, block and thread, and what was asserted.
[[noreturn]] void fail_assertion(Execution& execution) {
  const auto lane = static_cast<unsigned>(__builtin_ctz(execution.lanes));
  const std::string what = text_at(execution, argument(execution, 0, lane), lane);
  const std::string file = text_at(execution, argument(execution, 1, lane), lane);
  const uint32_t line = execution.warp.row(kFirstArgument + 4)[lane];
  const std::string function = text_at(execution, argument(execution, 3, lane), lane);
  fail(execution, fmt::format("{}:{}: {}: assertion `{}` failed", file, line, function, what), lane,
       LaunchFault::kAssert);
}

}  // namespace

void call_driver(Execution& execution, Program::DriverCall call) {
  if (call == Program::DriverCall::kAssert) fail_assertion(execution);
  print(execution);
}

}  // namespace shflsim::isa
