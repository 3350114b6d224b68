// SPDX-License-Identifier: Apache-2.0
#include "cli/view_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/spec.h"
#include "cli/window.h"
#include "isa/files/compressed.h"
#include "isa/input_error.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kShortened[] = {"json", "csv", "html"};

/// "result.json", 2 -> "result.2.json"
std::string numbered(const std::string& path, size_t number, size_t launches) {
  if (launches == 1) return path;
  if (path == "-")
    throw InputError("standard output has room for one launch's view; expected a file's name");
  const std::filesystem::path whole(path);
  const std::string name =
      fmt::format("{}.{}{}", whole.stem().string(), number, whole.extension().string());
  return (whole.parent_path() / name).string();
}

/// What `--timeline` names; "" where it names nothing.
report::Window timeline_window(const std::string& text) {
  const std::vector<report::Window::Warps> warps = {report::kFirstWarps};
  if (text.empty()) return {warps};
  return read_window(text, "--timeline", warps);
}

/// Names of the views that take a window.
std::string over_time() {
  std::vector<std::string> names;
  for (const auto& [name, entry] : report::Views::table()) {
    if (entry.make()->show({})) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

void add_view_options(po::options_description& options) {
  const std::vector<std::string> names = report::Views::names();
  const std::string help = fmt::format(
      "NAME:FILE: write a view of the run, compressed where FILE ends in .zst or .gz; repeatable. "
      "NAME is {}. Of several launches (--launch, "
      "a "
      "list of traces) each has a file of its own: out.1.json, out.2.json for json:out.json",
      fmt::join(names, ", "));
  options.add_options()("view", po::value<std::vector<std::string>>()->value_name("NAME:FILE"),
                        help.c_str())("json", po::value<std::string>()->value_name("FILE"),
                                      "the same as --view json:FILE")(
      "csv", po::value<std::string>()->value_name("FILE"), "the same as --view csv:FILE")(
      "html", po::value<std::string>()->value_name("FILE"),
      "the same as --view html:FILE, which opens in a browser without a network")(
      "window", po::value<std::string>()->value_name("WARPS,FROM:TO"),
      "the warps and cycles that views over time show, such as 0-3,8,100:200 (default: all)")(
      "timeline",
      po::value<std::vector<std::string>>()->value_name("WARPS,FROM:TO")->implicit_value({""}, ""),
      "draw the run, a line an instruction and a column a cycle, with what each waits for, and "
      "below it the critical path; repeatable (default: warps 0-3, from 0, as wide as the "
      "terminal)");
}

ViewFiles::ViewFiles(const po::variables_map& values) {
  for (const char* name : kShortened) {
    if (values.count(name) != 0) asked_.push_back({name, values[name].as<std::string>()});
  }
  if (values.count("timeline") != 0) {
    for (const std::string& text : values["timeline"].as<std::vector<std::string>>())
      timelines_.push_back(timeline_window(text));
  }
  if (values.count("window") != 0)
    window_ = read_window(values["window"].as<std::string>(), "--window");
  if (values.count("view") != 0) ask_for(values["view"].as<std::vector<std::string>>());
  if (window_) check_window_is_for_a_view();
}

void ViewFiles::check_window_is_for_a_view() const {
  for (const Asked& asked : asked_) {
    if (report::Views::table().at(asked.view).make()->show(*window_)) return;
  }
  throw InputError("--window without a view over time; expected --view with " + over_time());
}

void ViewFiles::ask_for(const std::vector<std::string>& views) {
  const std::vector<std::string> names = report::Views::names();
  for (const std::string& text : views) {
    const Pair pair = read_pair(text, ':', "--view NAME:FILE");
    if (std::find(names.begin(), names.end(), pair.first) == names.end())
      throw InputError("--view: no view '" + pair.first + "'" + suggestion(pair.first, names));
    asked_.push_back({pair.first, pair.second});
  }
}

ViewFiles::Shown ViewFiles::start(size_t launch, size_t launches) const {
  Shown shown;
  for (const Asked& asked : asked_) {
    const std::string path = numbered(asked.path, launch, launches);
    shown.all_.push_back({report::Views::table().at(asked.view).make(), path, isa::OutFile(path)});
    if (window_) shown.all_.back().view->show(*window_);
  }
  if (has_timeline()) shown.timelines_ = std::make_unique<report::Timelines>(timelines_);
  return shown;
}

void ViewFiles::Shown::add_observers(model::Observers* all) const {
  for (const One& one : all_) all->add(one.view->observer());
  if (printed_ != nullptr) all->add(printed_->observer());
  if (timelines_ != nullptr) all->add(timelines_->observer());
}

void ViewFiles::Shown::print_timeline(std::ostream& out, const report::Run& run) {
  if (timelines_ != nullptr) timelines_->write(out, run);
}

void ViewFiles::Shown::write(const report::Run& run) {
  for (One& one : all_) one.file.finish(isa::compressed_for(one.path, one.view->content(run)));
}

}  // namespace shflsim::cli
