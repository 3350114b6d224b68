// SPDX-License-Identifier: Apache-2.0
#include "cli/launch_line.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "cli/launch_options.h"
#include "isa/input_error.h"
#include "isa/reader/source.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

/// The words behind the first `// launch:`; none where there is no such line.
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

/// Whether the command line already says what a word of the launch line would.
bool is_given(const std::string& option, const po::variables_map& values) {
  const bool is_size = option == "block" || option == "warps";
  return values.count(option) != 0 ||
         (is_size && values.count("block") + values.count("warps") != 0);
}

}  // namespace

po::variables_map with_launch_line(const po::variables_map& values, const std::string& file) {
  po::options_description options;
  LaunchOptions::add_to(options);
  po::options_description saves;
  LaunchOptions::add_saves_to(saves);
  po::variables_map launch;
  for (const auto* group : {&options, &saves}) {
    for (const auto& option : group->options()) {
      const auto given = values.find(option->long_name());
      if (given != values.end()) launch.insert(*given);
    }
  }
  try {
    po::parsed_options own = po::command_line_parser(launch_line(file)).options(options).run();
    own.options.erase(std::remove_if(own.options.begin(), own.options.end(),
                                     [&values](const po::option& option) {
                                       return is_given(option.string_key, values);
                                     }),
                      own.options.end());
    po::store(own, launch);
  } catch (const po::error& error) {
    throw InputError({file}, std::string("its launch line: ") + error.what() +
                                 "; expected options of 'shflsim run' that say what to launch");
  }
  return launch;
}

}  // namespace shflsim::cli
