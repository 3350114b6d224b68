// SPDX-License-Identifier: Apache-2.0
#include "report/run/view.h"

namespace shflsim::report {

std::map<std::string, Views::Entry>& Views::table() {
  static std::map<std::string, Entry> entries;
  return entries;
}

std::vector<std::string> Views::names() {
  std::vector<std::string> names;
  for (const auto& [name, entry] : table()) names.push_back(name);
  return names;
}

}  // namespace shflsim::report
