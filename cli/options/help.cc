// SPDX-License-Identifier: Apache-2.0
#include "cli/options/help.h"

#include <fmt/format.h>

#include <sstream>

#include "cli/options/common_options.h"
#include "isa/base/standard_output.h"
#include "report/terminal/screen.h"

namespace shflsim::cli {
namespace {

constexpr size_t kHelpWidth = 80;
constexpr size_t kTextColumn = 26;  ///< column at which the texts of options begin

static_assert(isa::StandardOutput::kHeld == size_t{16} << 20, "kEnding says how much");
constexpr const char* kEnding =
    "exit status: 0 success, 1 a check or comparison failed, 2 bad usage, bad input\n"
    "or output that cannot be written, 3 the model stopped making progress or reached\n"
    "--max-cycles, 130 and 143 stopped by Ctrl-C and TERM. With status 2 nothing is\n"
    "written, except that standard output beyond 16 MiB is not held back; the report\n"
    "of a run that was stopped says that it is partial\n"
    "\n"
    "environment:\n"
    "  SHFLSIM_CONFIGS         folder of the configs, instead of the installed one\n"
    "  TMPDIR                  folder for temporary files (default /tmp)\n"
    "  NO_COLOR                not empty: no color\n"
    "  CLICOLOR_FORCE          not 0: color also if output is not a terminal\n"
    "  COLUMNS                 width of the terminal, instead of its own answer\n";

/// `text` broken into lines; the first begins with `lead`, the others with blanks.
std::string entry(const std::string& lead, const std::string& text) {
  std::ostringstream out;
  report::set_screen(out, {kHelpWidth, false});
  const bool fits = lead.size() + 2 <= kTextColumn;
  if (!fits) out << lead << '\n';
  report::write_line(out, fmt::format("{:<{}}{}", fits ? lead : "", kTextColumn, text),
                     kTextColumn);
  return out.str();
}

std::string option_entry(const Option& option, bool is_short) {
  std::string lead = option.letter != 0 ? fmt::format("  -{}, --{}", option.letter, option.name)
                                        : fmt::format("      --{}", option.name);
  if (option.is_optional) {
    lead += "[=" + option.value + "]";
  } else if (!option.value.empty()) {
    lead += " " + option.value;
  }
  std::string text = is_short && !option.brief.empty() ? option.brief : option.help;
  if (!option.standard.empty()) text += " (default " + option.standard + ")";
  return entry(lead, text);
}

std::string heading(const Command& command) {
  return fmt::format("usage: {}\n\nexample:\n{}", command.call, command.example);
}

}  // namespace

std::string help_text(const Command& command, bool all) {
  std::string text = heading(command);
  std::string group;
  for (const Option& option : options_of(command)) {
    if (!all && !option.is_argument && !option.is_common) continue;
    if (option.group != group) text += "\n" + option.group + ":\n";
    group = option.group;
    text +=
        option.is_argument ? entry("  " + option.value, option.help) : option_entry(option, !all);
  }
  return all ? text + "\n" + kEnding : text;
}

std::string verbs_text(const Command& command) {
  std::string text = heading(command) + "\n";
  for (const Command& verb : command.verbs())
    text += fmt::format("  {:<9}{}\n", verb.name, verb.summary);
  return text + "\n" + kEnding;
}

std::string overview() {
  std::string text = "shflsim " SHFLSIM_VERSION
                     ": times SASS on a model of one NVIDIA SM and its shuffle unit\n\n"
                     "usage: shflsim COMMAND [arguments]\n"
                     "       shflsim help COMMAND, or shflsim COMMAND --help: details\n\n"
                     "example:\n"
                     "  shflsim run traces/scan_inclusive.sass --reg Rsum=1.0\n\n"
                     "commands:\n";
  for (const Command& command : commands())
    text += entry(fmt::format("  {}", command.name), command.summary);
  text += "\ncommon:\n";
  CommonOptions common;
  OptionList list;
  common.list(list);
  for (const Option& option : list.by_group()) text += option_entry(option, true);
  return text + "\n" + kEnding;
}

}  // namespace shflsim::cli
