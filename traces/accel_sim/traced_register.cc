// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/traced_register.h"

#include <charconv>
#include <iterator>

namespace shflsim::traces {
namespace {

/// By RegisterFile.
struct FileFacts {
  std::string_view prefix;
  unsigned last;  ///< number of its last register
};
constexpr FileFacts kFiles[] = {{"R", 255}, {"UR", 255}, {"P", 7}, {"UP", 7}};

}  // namespace

std::string name_of(TracedRegister traced) {
  return std::string(kFiles[static_cast<size_t>(traced.file)].prefix) +
         std::to_string(traced.index);
}

std::optional<TracedRegister> register_named(std::string_view name) {
  const size_t digits = name.find_first_of("0123456789");
  if (digits == std::string_view::npos) return std::nullopt;
  unsigned index = 0;
  const char* const last = name.data() + name.size();
  const auto [end, error] = std::from_chars(name.data() + digits, last, index);
  if (error != std::errc() || end != last) return std::nullopt;
  for (size_t file = 0; file < std::size(kFiles); ++file) {
    if (name.substr(0, digits) != kFiles[file].prefix || index > kFiles[file].last) continue;
    return TracedRegister{static_cast<uint8_t>(index), static_cast<RegisterFile>(file)};
  }
  return std::nullopt;
}

}  // namespace shflsim::traces
