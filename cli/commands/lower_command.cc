// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <iostream>

#include "cli/options/command.h"
#include "isa/base/input_error.h"
#include "isa/base/text_cursor.h"
#include "isa/dialects/source.h"
#include "isa/lanes/cuda_shuffle.h"
#include "report/terminal/screen.h"

namespace shflsim::cli {
namespace {

using isa::ShuffleMode;

/// A call in CUDA C++: __shfl_down_sync(0xffffffff, v, 3, 8).
struct Call {
  ShuffleMode mode = ShuffleMode::kIdx;
  std::string suffix;  ///< PTX's name of the mode
  isa::LaneMask mask = 0;
  std::string value;
  int64_t lane = 0;
  int width = 32;
};

std::vector<std::string> arguments_of(const std::string& text, size_t open) {
  const size_t close = text.rfind(')');
  if (close == std::string::npos || !isa::trimmed(text.substr(close + 1)).empty()) {
    throw InputError("'" + text + "' does not end the call; expected ')' as its last letter");
  }
  std::vector<std::string> parts(1);
  for (const char c : text.substr(open + 1, close - open - 1)) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::string& part : parts) part = isa::trimmed(part);
  return parts;
}

/// The end of a number's suffix, as in 0xffffffffu.
const char* behind_suffix(const char* at) {
  while (*at == 'u' || *at == 'U' || *at == 'l' || *at == 'L') ++at;
  return at;
}

/// A number, or warpSize, or warpSize/N.
int64_t number_of(const std::string& text, const std::string& what, int64_t least, int64_t most) {
  const std::string kWarpSize = "warpSize";
  std::string digits = text;
  int64_t dividend = 0;
  if (text.compare(0, kWarpSize.size(), kWarpSize) == 0) {
    dividend = isa::kLanes;
    const std::string rest(isa::trimmed(text.substr(kWarpSize.size())));
    if (rest.empty()) return dividend;
    digits = rest[0] == '/' ? isa::trimmed(std::string_view(rest).substr(1)) : "";
  }
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(digits.c_str(), &end, 0);
  const bool unusable =
      digits.empty() || end == digits.c_str() || *behind_suffix(end) != '\0' || errno != 0;
  const int64_t result = unusable        ? 0
                         : dividend == 0 ? value
                         : value == 0    ? most + 1
                                         : dividend / value;
  if (unusable || result < least || result > most) {
    throw InputError(fmt::format("{} '{}' cannot be used; expected a number from {} to {}", what,
                                 text, least, most));
  }
  return result;
}

/// A mask of 32 bits, also as -1 and ~0, and by the name that it has in CUDA's examples.
isa::LaneMask mask_of(const std::string& text) {
  if (text == "FULL_MASK") return isa::kAllLanes;
  const bool is_inverted = text.compare(0, 1, "~") == 0;
  const auto mask = static_cast<isa::LaneMask>(
      number_of(is_inverted ? text.substr(1) : text, "mask", -0x80000000LL, 0xFFFFFFFF));
  return is_inverted ? ~mask : mask;
}

/// The call without a variable that gets its result and without a ';': "x = CALL;".
std::string call_in(std::string_view text) {
  text = isa::trimmed(text);
  if (!text.empty() && text.back() == ';') text.remove_suffix(1);
  const size_t equals = text.find('=');
  return std::string(isa::trimmed(equals < text.find('(') ? text.substr(equals + 1) : text));
}

std::string register_named(const std::string& text) {
  bool is_name = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0;
  for (const char c : text) is_name &= std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  if (!is_name)
    throw InputError("value '" + text + "' cannot be used; expected the name of a variable");
  return text;
}

struct Function {
  const char* name;
  ShuffleMode mode;
  const char* suffix;
};

const Function& function_named(const std::string& name) {
  static const Function kFunctions[] = {{"__shfl_sync", ShuffleMode::kIdx, "idx"},
                                        {"__shfl_up_sync", ShuffleMode::kUp, "up"},
                                        {"__shfl_down_sync", ShuffleMode::kDown, "down"},
                                        {"__shfl_xor_sync", ShuffleMode::kBfly, "bfly"}};
  std::vector<std::string> known;
  for (const Function& function : kFunctions) {
    if (name == function.name) return function;
    known.emplace_back(function.name);
  }
  throw InputError("unknown function '" + name + "'" + suggestion(name, known));
}

Call read_call(const std::string& given) {
  const std::string text = call_in(given);
  const size_t open = text.find('(');
  const Function& function = function_named(std::string(isa::trimmed(text.substr(0, open))));
  if (open == std::string::npos)
    throw InputError("'" + text + "' is no call; expected '(' and the arguments");
  const std::vector<std::string> arguments = arguments_of(text, open);
  if (arguments.size() < 3 || arguments.size() > 4) {
    throw InputError(
        fmt::format("{} with {} arguments; expected mask, value, lane and perhaps width",
                    function.name, arguments.size()));
  }
  Call call;
  call.mode = function.mode;
  call.suffix = function.suffix;
  call.mask = mask_of(arguments[0]);
  call.value = register_named(arguments[1]);
  call.lane = number_of(arguments[2], "lane", -0x80000000LL, 0xFFFFFFFF);
  if (arguments.size() == 4)
    call.width = static_cast<int>(number_of(arguments[3], "width", -0x80000000LL, 0x7FFFFFFF));
  return call;
}

/// The PTX that a compiler generates for the call: one shuffle for each 32 bits.
std::string ptx_of(const Call& call, const isa::CudaShuffle& shuffle, bool is_wide) {
  const std::string& v = call.value;
  const auto one = [&](const std::string& d, const std::string& a) {
    return fmt::format("shfl.sync.{}.b32 {}|in_range, {}, {:#x}, {:#x}, {:#x};\n", call.suffix, d,
                       a, shuffle.sb & 31, shuffle.sc, shuffle.mask);
  };
  if (!is_wide) return one(v + "_out", v);
  return fmt::format("mov.b64 {{{0}_low, {0}_high}}, {0};\n", v) + one(v + "_low_out", v + "_low") +
         one(v + "_high_out", v + "_high") +
         fmt::format("mov.b64 {0}_out, {{{0}_low_out, {0}_high_out}};\n", v);
}

void print_lane_map(const isa::LaneMap& map) {
  constexpr unsigned kRow = 16;
  for (unsigned first = 0; first < isa::kLanes; first += kRow) {
    std::string lanes = "lane  ";
    std::string sources = "source";
    for (unsigned lane = first; lane < first + kRow; ++lane) {
      const bool executes = ((map.executing >> lane) & 1u) != 0;
      const bool in_range = ((map.in_range >> lane) & 1u) != 0;
      const bool undefined = ((map.undefined >> lane) & 1u) != 0;
      const char mark = undefined ? '?' : in_range ? ' ' : '=';
      lanes += fmt::format(" {:2} ", lane);
      sources += executes ? fmt::format(" {:2}{}", map.source[lane], mark) : "  - ";
    }
    sources.erase(sources.find_last_not_of(' ') + 1);
    lanes.erase(lanes.find_last_not_of(' ') + 1);
    std::cout << lanes << "\n" << sources << "\n";
  }
  report::write_line(std::cout,
                     "- not in the mask; = out of range: keeps its own value; ? undefined: reads "
                     "from a lane outside the mask");
}

struct LowerOptions : OptionGroup {
  enum class Type : char { kInt, kUnsigned, kFloat, kLongLong, kUnsignedLongLong, kDouble };

  std::string call;
  Type type = Type::kInt;

  void list(OptionList& list);
  bool is_wide() const { return type >= Type::kLongLong; }
};

void LowerOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("call", &call, "CALL", "call of a warp shuffle function, quoted");
  list.choice("type", &type,
              {"int", "unsigned", "float", "long long", "unsigned long long", "double"}, "TYPE",
              "type of the value: int, unsigned, float, long long, unsigned long long, double")
      .common();
}

int lower(const LowerOptions& options) {
  const Call call = read_call(options.call);
  const isa::CudaShuffle shuffle =
      isa::cuda_shuffle(call.mode, call.mask, static_cast<uint32_t>(call.lane), call.width);
  const std::string ptx = ptx_of(call, shuffle, options.is_wide());
  const isa::Program program = isa::Dialects::named("ptx").open({"call", ptx})->program("call");

  std::cout << ptx << "\n";
  for (size_t i = 0; i + 1 < program.code.size();
       ++i) {  // the last one is the EXIT of every program
    std::cout << fmt::format("{:016x}  {}\n", program.code[i].word.low, program.texts[i]);
  }
  std::cout << "\n";
  print_lane_map(isa::lane_map(shuffle));
  return kFine;
}

}  // namespace

const Command kLower = command("lower", "lower a CUDA warp shuffle: print PTX, words and lane map",
                               "shflsim lower 'CALL' [options]",
                               "  shflsim lower '__shfl_down_sync(0xffffffff, v, 3, 8)'\n", lower);

}  // namespace shflsim::cli
