// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/launch_line.h"

#include <sstream>

#include "cli/options/option_parser.h"
#include "isa/dialects/source.h"

namespace shflsim::cli {
namespace {

/// The words after the first `// launch:`; none if there is no such line.
Strings launch_line(const std::string& path) {
  constexpr std::string_view kMark = "// launch:";
  constexpr size_t kHead = 64;  // a binary has a zero byte in its head
  const isa::SharedText text = isa::read_source_text(path).text;
  if (text.substr(0, kHead).find('\0') != std::string_view::npos) return {};
  size_t at = text.find(kMark);
  while (at != std::string_view::npos && at != 0 && text[at - 1] != '\n')
    at = text.find(kMark, at + 1);
  if (at == std::string_view::npos) return {};
  at += kMark.size();
  std::istringstream rest(std::string(text.substr(at, text.find('\n', at) - at)));
  Strings words;
  for (std::string word; rest >> word;) words.push_back(word);
  return words;
}

}  // namespace

LaunchOptions with_launch_line(LaunchOptions options, const std::string& file) {
  OptionList list;
  options.list(list);
  parse_launch_line(list, launch_line(file), file);
  return options;
}

}  // namespace shflsim::cli
