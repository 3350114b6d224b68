// SPDX-License-Identifier: Apache-2.0
#include "cli/options/view_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/options/spec.h"
#include "cli/options/window.h"
#include "isa/base/compressed.h"
#include "isa/base/input_error.h"

namespace shflsim::cli {
namespace {

/// The window that `--timeline` names; empty if it names none.
report::Window timeline_window(const std::string& text, const std::string& option) {
  const std::vector<report::Window::Warps> warps = {report::kFirstWarps};
  if (text.empty()) return {};
  return read_window(text, option, warps);
}

/// Reads a view and its file: "json:result.json".
ViewOptions::Asked asked_view(const std::string& text, const std::string& option) {
  const std::vector<std::string> names = report::Views::names();
  const Pair pair = read_pair(text, ':', option + " NAME:FILE");
  if (std::find(names.begin(), names.end(), pair.first) == names.end())
    throw InputError(option + ": no view '" + pair.first + "'" + suggestion(pair.first, names));
  return {pair.first, pair.second};
}

/// The names of the views that take a window.
std::string over_time() {
  std::vector<std::string> names;
  for (const auto& [name, entry] : report::Views::table()) {
    if (entry.make()->show({})) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string numbered(const std::string& path, size_t number, size_t launches) {
  if (launches == 1) return path;
  if (path == "-")
    throw InputError("standard output has room for one launch's view; expected a file's name");
  const std::filesystem::path whole(path);
  const std::string name =
      fmt::format("{}.{}{}", whole.stem().string(), number, whole.extension().string());
  return (whole.parent_path() / name).string();
}

void ViewOptions::list(OptionList& list) {
  list.group("output", this);
  list.add("view", &views, "NAME:FILE",
           fmt::format("write a view of the run, compressed if FILE ends in .zst or .gz; "
                       "repeatable. NAME is {}. Several launches (--launch, a list of traces) "
                       "write a file each: out.1.json, out.2.json for json:out.json; "
                       "html:out.html of a list is a page with links to these",
                       fmt::join(report::Views::names(), ", ")),
           [this](const std::string& text, const std::string& option) {
             views.push_back(asked_view(text, option));
           })
      .common("write a view of the run (`shflsim list views`)")
      .repeats = true;
  const auto shorthand = [&](const char* view, const char* more) {
    list.add(view, &views, "FILE", fmt::format("short for --view {}:FILE{}", view, more),
             [this, view](const std::string& path, const std::string& /*option*/) {
               views.push_back({view, path});
             })
        .common(fmt::format("short for --view {}:FILE", view));
  };
  shorthand("json", "");
  shorthand("csv", "");
  shorthand("html", ", a page that opens in a browser without a network");
  list.value(
      "window", &window, "WARPS,FROM:TO",
      "the warps and cycles that views over time show, such as 0-3,8,100:200 (default: all)",
      [](const std::string& text, const std::string& option) { return read_window(text, option); });
  Option& timeline = list.add(
      "timeline", &timelines, "WARPS,FROM:TO",
      "print the view timeline after the report: a line for each instruction and a column for each "
      "cycle, with the reason of each wait, then the critical path; repeatable (default: the whole "
      "run, a line for each warp)",
      [this](const std::string& text, const std::string& option) {
        timelines.push_back(timeline_window(text, option));
      });
  timeline.common("draw the run cycle by cycle after the report").repeats = true;
  timeline.is_optional = true;
}

ViewFiles::ViewFiles(const ViewOptions& options) : options_(options) {
  if (!options.window) return;
  for (const ViewOptions::Asked& asked : options.views) {
    if (report::Views::table().at(asked.view).make()->show(*options.window)) return;
  }
  throw InputError("--window without a view over time; expected --view with " + over_time());
}

ViewFiles::Shown ViewFiles::start(size_t launch, size_t launches) const {
  Shown shown;
  for (const ViewOptions::Asked& asked : options_.views) {
    const std::string path = numbered(asked.path, launch, launches);
    shown.all_.push_back({report::Views::table().at(asked.view).make(), path, isa::OutFile(path)});
    if (options_.window) shown.all_.back().view->show(*options_.window);
  }
  if (!options_.timelines.empty())
    shown.timelines_ = std::make_unique<report::Timelines>(options_.timelines);
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
