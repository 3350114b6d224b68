// SPDX-License-Identifier: Apache-2.0
#include "model/core/access_facts.h"

#include <algorithm>

namespace shflsim::model {
namespace {

bool has(const std::string& name, const char* part) { return name.find(part) != std::string::npos; }

}  // namespace

AccessFacts access_facts(const std::string& text, bool is_store) {
  const size_t begin = text.rfind('@', 0) == 0 ? std::min(text.find(' '), text.size() - 1) + 1 : 0;
  const std::string name = text.substr(begin, text.find(' ', begin) - begin);
  const bool is_local = name.rfind("LDL", 0) == 0 || name.rfind("STL", 0) == 0;
  if (name.rfind("ATOM", 0) == 0 || name.rfind("RED", 0) == 0) return {AccessKind::kAtomic, false};
  if (is_store) return {AccessKind::kStore, is_local};
  if (has(name, ".CI") || has(name, ".CONSTANT")) return {AccessKind::kReadOnlyLoad, is_local};
  for (const char* part : {".STRONG.GPU", ".STRONG.SYS", ".CG", ".CV", ".MMIO"}) {
    if (has(name, part)) return {AccessKind::kPastL1Load, is_local};
  }
  return {AccessKind::kLoad, is_local};
}

}  // namespace shflsim::model
