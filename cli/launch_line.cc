// SPDX-License-Identifier: Apache-2.0
#include "cli/launch_line.h"

#include <sstream>

#include "isa/reader/source.h"

namespace shflsim::cli {

std::vector<std::string> launch_line(const std::string& path) {
  const std::string mark = "// launch:";
  std::istringstream lines(isa::read_source_text(path).text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, mark.size(), mark) != 0) continue;
    std::istringstream rest(line.substr(mark.size()));
    std::vector<std::string> words;
    for (std::string word; rest >> word;) words.push_back(word);
    return words;
  }
  return {};
}

}  // namespace shflsim::cli
