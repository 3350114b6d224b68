// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/common_options.h"
#include "cli/input.h"
#include "cli/launch_options.h"
#include "cli/machine_options.h"
#include "cli/region_options.h"
#include "cli/view_options.h"
#include "isa/files/standard_output.h"
#include "report/screen.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

constexpr size_t kHelpWidth = 80;
constexpr size_t kTextColumn = 26;  ///< where the options' texts begin

static_assert(isa::StandardOutput::kHeld == size_t{16} << 20, "kEnding says how much");
constexpr const char* kEnding =
    "exit status: 0 fine, 1 a check or comparison failed, 2 bad usage, bad input or\n"
    "output that cannot be written, 3 the model stopped making progress or came to\n"
    "--max-cycles, 130 and 143 stopped by Ctrl-C and TERM. With 2 nothing is written,\n"
    "but what is printed beyond 16 MiB goes out as it comes; a report of a run that\n"
    "was stopped says that it is partial\n"
    "\n"
    "environment:\n"
    "  SHFLSIM_CONFIGS         folder of the configs, instead of the installed one\n"
    "  TMPDIR                  folder for temporary files (default /tmp)\n"
    "  NO_COLOR                not empty: no colour\n"
    "  CLICOLOR_FORCE          not 0: colour also where output is no terminal\n"
    "  COLUMNS                 width of the terminal, instead of what it says\n";

/// A heading and the function that declares the options below it.
struct Group {
  const char* title;
  void (*add)(po::options_description&);
};

constexpr Group kGroups[] = {
    {"launch", add_architecture_option},
    {"launch", LaunchOptions::add_to},
    {"region of sm_70 and later", add_region_options},
    {"execution", add_machine_options},
    {"traces", add_trace_options},
    {"output", LaunchOptions::add_saves_to},
    {"output", add_view_options},
    {"common", add_common_options},
};

const char* group_of(const po::option_description& option) {
  for (const Group& group : kGroups) {
    po::options_description its;
    group.add(its);
    if (its.find_nothrow(option.long_name(), false) != nullptr) return group.title;
  }
  return "options";
}

/// `text` broken into lines, with `lead` in front of the first and blanks in front of the others.
std::string entry(const std::string& lead, const std::string& text) {
  std::ostringstream out;
  report::set_screen(out, {kHelpWidth, false});
  const bool fits = lead.size() + 2 <= kTextColumn;
  if (!fits) out << lead << '\n';
  report::write_line(out, fmt::format("{:<{}}{}", fits ? lead : "", kTextColumn, text),
                     kTextColumn);
  return out.str();
}

/// "FILE", and what is taken where it is not given.
struct Value {
  std::string name;
  std::string standard;
};

Value value_of(const po::option_description& option) {
  const std::string text = option.format_parameter();  // "FILE (=default)"
  const size_t end = text.find(" (=");
  if (end == std::string::npos) return {text, ""};
  return {text.substr(0, end), text.substr(end + 3, text.size() - end - 4)};
}

std::string option_entry(const po::option_description& option) {
  const std::string letter =
      option.canonical_display_name(po::command_line_style::allow_dash_for_short);
  const bool has_letter = letter.size() == 2 && letter[0] == '-';
  const Value value = value_of(option);
  std::string lead = has_letter ? fmt::format("  {}, --{}", letter, option.long_name())
                                : fmt::format("      --{}", option.long_name());
  if (!value.name.empty()) lead += " " + value.name;
  std::string text = option.description();
  if (!value.standard.empty()) text += " (default " + value.standard + ")";
  return entry(lead, text);
}

bool is_positional(const std::string& name, const po::positional_options_description& positions) {
  const unsigned count = std::min(positions.max_total_count(), 8u);
  for (unsigned i = 0; i < count; ++i) {
    if (positions.name_for_position(i) == name) return true;
  }
  return false;
}

}  // namespace

std::string help_ending() { return kEnding; }

std::vector<std::string> option_names(const po::options_description& options,
                                      const po::positional_options_description& positions) {
  std::vector<std::string> names;
  for (const auto& option : options.options()) {
    if (!is_positional(option->long_name(), positions)) names.push_back("--" + option->long_name());
  }
  return names;
}

std::string help_text(const Usage& usage, const po::options_description& options,
                      const po::positional_options_description& positions) {
  std::string arguments;
  std::vector<std::pair<std::string, std::string>> groups = {{"options", ""}};
  for (const Group& group : kGroups) groups.emplace_back(group.title, "");
  for (const auto& option : options.options()) {
    if (is_positional(option->long_name(), positions)) {
      arguments += entry("  " + value_of(*option).name, option->description());
      continue;
    }
    const std::string title = group_of(*option);
    std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return group.first == title;
    })->second += option_entry(*option);
  }
  std::string text = fmt::format("usage: {}\n\nexample:\n{}\n", usage.call, usage.example);
  if (!arguments.empty()) text += "arguments:\n" + arguments + "\n";
  for (const auto& [title, entries] : groups) {
    if (!entries.empty()) text += title + ":\n" + entries + "\n";
  }
  return text + kEnding;
}

std::string overview() {
  std::string text = "shflsim " SHFLSIM_VERSION
                     ": times SASS on a model of one NVIDIA SM and its shuffle unit\n\n"
                     "usage: shflsim COMMAND [arguments]\n"
                     "       shflsim help COMMAND, or shflsim COMMAND --help: more of it\n\n"
                     "example:\n"
                     "  shflsim run traces/scan_inclusive.sass --reg Rsum=1.0\n\n"
                     "commands:\n";
  for (const Command& command : commands())
    text += entry(fmt::format("  {}", command.name), command.summary);
  text += "\ncommon:\n";
  po::options_description common;
  add_common_options(common);
  for (const auto& option : common.options()) text += option_entry(*option);
  return text + "\n" + kEnding;
}

}  // namespace shflsim::cli
