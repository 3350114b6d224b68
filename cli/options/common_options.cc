// SPDX-License-Identifier: Apache-2.0
#include "cli/options/common_options.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "cli/options/result_format.h"
#include "report/terminal/messages.h"
#include "report/terminal/progress.h"
#include "report/terminal/screen.h"

namespace shflsim::cli {
namespace {

constexpr size_t kUsualWidth = 80;  ///< width of a terminal that does not report its own

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The width that COLUMNS gives, else the terminal's.
size_t terminal_width(int descriptor) {
  const std::string columns = environment("COLUMNS");
  const bool is_number = !columns.empty() && columns.size() <= 4 &&
                         columns.find_first_not_of("0123456789") == std::string::npos;
  if (is_number && std::stoul(columns) != 0) return std::stoul(columns);
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return size.ws_col;
  return kUsualWidth;
}

bool has_color(CommonOptions::Color asked, bool is_terminal) {
  using Color = CommonOptions::Color;
  if (asked != Color::kAuto) return asked == Color::kAlways;
  if (!environment("NO_COLOR").empty()) return false;
  const std::string forced = environment("CLICOLOR_FORCE");
  if (!forced.empty() && forced != "0") return true;
  return is_terminal && environment("TERM") != "dumb";
}

}  // namespace

void CommonOptions::list(OptionList& list) {
  list.group(kTitle, this);
  list.flag("help", &help, "print the common options").short_form('h').common().asks = true;
  list.flag("help-all", &help_all, "print all options, exit statuses and environment variables")
      .common("print all options, exit statuses, environment")
      .asks = true;
  list.flag("version", &version, "print version, commit, compiler and libraries")
      .short_form('V')
      .asks = true;
  list.flag("quiet", &quiet, "print only errors on standard error").short_form('q');
  list.flag("verbose", &verbose,
            "also print what is read and written, the machine, and the time of each step")
      .short_form('v');
  list.text("log-file", &log_file, "FILE", "append the output of --verbose to FILE");
  list.choice("color", &color, {"auto", "always", "never"}, "WHEN",
              "auto (on a terminal), always or never");
  list.choice("progress", &progress, {"auto", "plain", "none"}, "KIND",
              "progress of work that takes over 2 s: auto (on a terminal), plain (a line each 10 "
              "s) or none");
  list.excludes(&quiet, {&verbose});
}

void CommonOptions::apply() const {
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  report::set_screen(
      std::cout, {is_terminal ? terminal_width(STDOUT_FILENO) : 0, has_color(color, is_terminal)});
  if (isatty(STDERR_FILENO) == 1)
    report::set_screen(std::cerr, {terminal_width(STDERR_FILENO), false});
  report::set_messages(quiet     ? report::Verbosity::kErrors
                       : verbose ? report::Verbosity::kDetails
                                 : report::Verbosity::kRemarks,
                       log_file);
  using Kind = report::ProgressKind;
  report::set_progress(quiet || progress == Progress::kNone ? Kind::kNone
                       : progress == Progress::kPlain       ? Kind::kPlain
                                                            : Kind::kTerminal);
}

Strings verb_first(const Strings& arguments) {
  CommonOptions common;
  FormatOption format;
  OptionList list;
  common.list(list);
  format.list(list);
  auto verb = arguments.begin();
  while (verb != arguments.end() && verb->size() > 1 && verb->front() == '-') {
    const Option* option = list.named(*verb);
    const bool takes_next = option != nullptr && !option->value.empty();
    const auto left = arguments.end() - verb;
    verb += std::min<std::ptrdiff_t>(takes_next ? 2 : 1, left);
  }
  Strings turned(verb, arguments.end());
  turned.insert(std::find(turned.begin(), turned.end(), "--"), arguments.begin(), verb);
  return turned;
}

}  // namespace shflsim::cli
