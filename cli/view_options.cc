// SPDX-License-Identifier: Apache-2.0
#include "cli/view_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/spec.h"
#include "isa/input_error.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kShortened[] = {"json", "csv"};

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

}  // namespace

void add_view_options(po::options_description& options) {
  const std::vector<std::string> names = report::Views::names();
  const std::string help = fmt::format(
      "NAME:FILE: write a view of the run; repeatable. NAME is {}. Of several launches (--launch, "
      "a "
      "list of traces) each has a file of its own: out.1.json, out.2.json for json:out.json",
      fmt::join(names, ", "));
  options.add_options()("view", po::value<std::vector<std::string>>()->value_name("NAME:FILE"),
                        help.c_str())("json", po::value<std::string>()->value_name("FILE"),
                                      "the same as --view json:FILE")(
      "csv", po::value<std::string>()->value_name("FILE"), "the same as --view csv:FILE");
}

ViewFiles::ViewFiles(const po::variables_map& values) {
  for (const char* name : kShortened) {
    if (values.count(name) != 0) asked_.push_back({name, values[name].as<std::string>()});
  }
  if (values.count("view") == 0) return;
  const std::vector<std::string> names = report::Views::names();
  for (const std::string& text : values["view"].as<std::vector<std::string>>()) {
    const Pair pair = read_pair(text, ':', "--view NAME:FILE");
    if (std::find(names.begin(), names.end(), pair.first) == names.end())
      throw InputError("--view: no view '" + pair.first + "'" + suggestion(pair.first, names));
    asked_.push_back({pair.first, pair.second});
  }
}

ViewFiles::Shown ViewFiles::start(size_t launch, size_t launches) const {
  Shown shown;
  for (const Asked& asked : asked_) {
    shown.all_.push_back({report::Views::table().at(asked.view).make(),
                          isa::OutFile(numbered(asked.path, launch, launches))});
  }
  return shown;
}

void ViewFiles::Shown::add_observers(model::Observers* all) const {
  for (const One& one : all_) all->add(one.view->observer());
}

void ViewFiles::Shown::write(const report::Run& run) {
  for (One& one : all_) one.file.finish(one.view->content(run));
}

}  // namespace shflsim::cli
