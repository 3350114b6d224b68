// SPDX-License-Identifier: Apache-2.0
#include "isa/base/demangled.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace shflsim::isa {

std::string demangled(const std::string& name) {
  if (name.compare(0, 2, "_Z") != 0) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

std::string function_name(const std::string& demangled) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)";
  size_t begin = 0;
  size_t end = std::string::npos;  // the end of the name; npos until it is found
  unsigned depth = 0;
  for (size_t at = 0; at < demangled.size(); ++at) {
    const char c = demangled[at];
    if (c == '>' && depth > 0) --depth;
    if (c == '<' && depth++ == 0) end = at;
    if (depth > 0) continue;
    if (demangled.compare(at, kUnnamed.size(), kUnnamed) == 0) {
      at += kUnnamed.size() - 1;
    } else if (c == '(') {
      return demangled.substr(begin, std::min(end, at) - begin);
    } else if (c == ' ' || c == ':') {
      begin = at + 1;
      end = std::string::npos;
    }
  }
  return demangled.substr(begin, end == std::string::npos ? end : end - begin);
}

}  // namespace shflsim::isa
