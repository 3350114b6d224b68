// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options/option_list.h"
#include "isa/base/out_file.h"
#include "model/observers.h"
#include "report/run/view.h"
#include "report/time/timeline.h"

namespace shflsim::cli {

/// `--view NAME:FILE`, its shorthands `--json FILE`, `--csv FILE` and `--html FILE`, `--window` and
/// `--timeline`.
struct ViewOptions : OptionGroup {
  struct Asked {
    std::string view;
    std::string path;
  };
  std::vector<Asked> views;
  std::optional<report::Window> window;
  std::vector<report::Window> timelines;

  void list(OptionList& list);
};

/// The file of the n-th of several launches: "result.2.json" for "result.json". Throws InputError
/// for standard output, which holds only one.
std::string numbered(const std::string& path, size_t number, size_t launches);

/// The files of views that the command line asks for.
class ViewFiles {
 public:
  /// Throws InputError for a window if no view takes one.
  explicit ViewFiles(const ViewOptions& options);

  /// The views of one run and their files, opened before the run starts: a file that cannot be
  /// written is an error at that point.
  class Shown {
   public:
    /// Writes the files. The n-th of several launches writes "result.n.json" for "result.json".
    void write(const report::Run& run);
    /// Selects the view that print() shows.
    void print_as(const std::string& view) { printed_ = report::Views::table().at(view).make(); }
    /// Prints the view that print_as() selected.
    void print(std::ostream& out, const report::Run& run) const { out << printed_->content(run); }
    /// Prints the timelines of `--timeline`, if any.
    void print_timeline(std::ostream& out, const report::Run& run);
    /// Adds the views that observe the run.
    void add_observers(model::Observers* all) const;

   private:
    friend class ViewFiles;
    struct One {
      std::unique_ptr<report::View> view;
      std::string path;
      isa::OutFile file;
    };
    std::vector<One> all_;
    std::unique_ptr<report::View> printed_;
    std::unique_ptr<report::Timelines> timelines_;
  };
  Shown start(size_t launch = 1, size_t launches = 1) const;

 private:
  ViewOptions options_;
};

}  // namespace shflsim::cli
