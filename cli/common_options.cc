// SPDX-License-Identifier: Apache-2.0
#include "cli/common_options.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "cli/result_format.h"
#include "isa/input_error.h"
#include "report/messages.h"
#include "report/progress.h"
#include "report/screen.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

constexpr size_t kUsualWidth = 80;  ///< columns of a terminal that does not say

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// COLUMNS, else what the terminal says.
size_t terminal_width(int descriptor) {
  const std::string columns = environment("COLUMNS");
  const bool is_number = !columns.empty() && columns.size() <= 4 &&
                         columns.find_first_not_of("0123456789") == std::string::npos;
  if (is_number && std::stoul(columns) != 0) return std::stoul(columns);
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size.ws_col;
  return kUsualWidth;
}

/// One of `known`, as the option was given or defaulted.
std::string choice_of(const po::variables_map& values, const char* name,
                      const std::vector<std::string>& known) {
  std::string given = values[name].as<std::string>();
  if (std::find(known.begin(), known.end(), given) == known.end())
    throw InputError("--" + std::string(name) + " '" + given + "'" + suggestion(given, known));
  return given;
}

bool has_color(const std::string& asked, bool is_terminal) {
  if (asked != "auto") return asked == "always";
  if (!environment("NO_COLOR").empty()) return false;
  const std::string forced = environment("CLICOLOR_FORCE");
  if (!forced.empty() && forced != "0") return true;
  return is_terminal && environment("TERM") != "dumb";
}

}  // namespace

void add_common_options(po::options_description& options) {
  options.add_options()("help,h", "print this help")(
      "version,V", "print the version, the commit and what it was built with")(
      "quiet,q", "say nothing on standard error but errors")(
      "verbose,v", "also say what is read and written, on which machine, and how long it takes")(
      "log-file", po::value<std::string>()->value_name("FILE"),
      "add what --verbose says to the end of FILE")(
      "color", po::value<std::string>()->value_name("WHEN")->default_value("auto"),
      "auto (on a terminal), always or never")(
      "progress", po::value<std::string>()->value_name("KIND")->default_value("auto"),
      "of what takes over 2 s: auto (on a terminal), plain (a line each 10 s) or none");
}

void apply_common_options(const po::variables_map& values) {
  const bool is_quiet = values.count("quiet") != 0;
  const bool is_verbose = values.count("verbose") != 0;
  if (is_quiet && is_verbose)
    throw InputError("--quiet and --verbose both given; expected one of them");
  const std::string color = choice_of(values, "color", {"auto", "always", "never"});
  const std::string progress = choice_of(values, "progress", {"auto", "plain", "none"});
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  report::set_screen(
      std::cout, {is_terminal ? terminal_width(STDOUT_FILENO) : 0, has_color(color, is_terminal)});
  if (isatty(STDERR_FILENO) == 1)
    report::set_screen(std::cerr, {terminal_width(STDERR_FILENO), false});
  report::set_messages(is_quiet     ? report::Verbosity::kErrors
                       : is_verbose ? report::Verbosity::kDetails
                                    : report::Verbosity::kRemarks,
                       values.count("log-file") == 0 ? "" : values["log-file"].as<std::string>());
  using Kind = report::ProgressKind;
  report::set_progress(is_quiet || progress == "none" ? Kind::kNone
                       : progress == "plain"          ? Kind::kPlain
                                                      : Kind::kTerminal);
}

std::vector<std::string> verb_first(const std::vector<std::string>& arguments) {
  po::options_description common;
  add_common_options(common);
  add_format_option(common);
  auto verb = arguments.begin();
  while (verb != arguments.end() && verb->size() > 1 && verb->front() == '-') {
    const auto* option =
        verb->compare(0, 2, "--") == 0 ? common.find_nothrow(verb->substr(2), false) : nullptr;
    const bool takes_next = option != nullptr && option->semantic()->min_tokens() != 0;
    const auto left = arguments.end() - verb;
    verb += std::min<std::ptrdiff_t>(takes_next ? 2 : 1, left);
  }
  std::vector<std::string> turned(verb, arguments.end());
  turned.insert(std::find(turned.begin(), turned.end(), "--"), arguments.begin(), verb);
  return turned;
}

}  // namespace shflsim::cli
