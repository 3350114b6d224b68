// SPDX-License-Identifier: Apache-2.0
#include "cli/options/command.h"

#include <iostream>

#include "cli/options/common_options.h"
#include "cli/options/help.h"
#include "cli/options/option_parser.h"
#include "cli/options/result_format.h"
#include "cli/options/version.h"

namespace shflsim::cli {

std::vector<Option> options_of(const Command& command) {
  if (command.verbs != nullptr) return {};
  OptionList list;
  CommonOptions common;
  command.prepare(list);
  common.list(list);
  return list.by_group();
}

int run_command(const Command& command, const Strings& arguments) {
  OptionList list;
  CommonOptions common;
  const std::function<int()> run = command.prepare(list);
  common.list(list);
  const bool asks = !parse(list, arguments, command.call);
  common.apply();
  if (!asks) return run();
  if (common.help || common.help_all) {
    std::cout << help_text(command, common.help_all);
  } else {
    std::cout << (asks_for_json(arguments) ? version_json() : version_text());
  }
  return kFine;
}

}  // namespace shflsim::cli
