// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/launch_line.h"

#include <sstream>

#include "cli/options/option_parser.h"
#include "isa/dialects/source.h"

namespace shflsim::cli {
namespace {

/// The words behind the first `// launch:`; none where there is no such line.
Strings launch_line(const std::string& path) {
  const std::string mark = "// launch:";
  std::istringstream lines(isa::read_source_text(path).text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, mark.size(), mark) != 0) continue;
    std::istringstream rest(line.substr(mark.size()));
    Strings words;
    for (std::string word; rest >> word;) words.push_back(word);
    return words;
  }
  return {};
}

}  // namespace

LaunchOptions with_launch_line(LaunchOptions options, const std::string& file) {
  OptionList list;
  options.list(list);
  parse_launch_line(list, launch_line(file), file);
  return options;
}

}  // namespace shflsim::cli
