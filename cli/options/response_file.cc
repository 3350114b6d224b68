// SPDX-License-Identifier: Apache-2.0
#include "cli/options/response_file.h"

#include <boost/program_options.hpp>
#include <filesystem>

#include "isa/base/readable.h"

namespace shflsim::cli {
namespace {

bool names_file(const std::string& argument) {
  if (argument.size() < 2 || argument.front() != '@') return false;
  std::error_code none;
  return argument == "@-" || std::filesystem::exists(argument.substr(1), none);
}

}  // namespace

std::vector<std::string> with_response_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> all;
  bool is_option = true;
  for (const std::string& argument : arguments) {
    is_option &= argument != "--";
    if (!is_option || !names_file(argument)) {
      all.push_back(argument);
      continue;
    }
    const std::string text = isa::read_bytes(argument.substr(1), "a file of arguments");
    for (const std::string& word : boost::program_options::split_unix(text, " \t\r\n"))
      all.push_back(word);
  }
  return all;
}

}  // namespace shflsim::cli
