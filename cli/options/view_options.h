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

/// Of several launches, the file of the n-th: "result.2.json" of "result.json". Throws InputError
/// for standard output, which has room for one.
std::string numbered(const std::string& path, size_t number, size_t launches);

/// The files with views of a run that the command line asks for.
class ViewFiles {
 public:
  /// Throws InputError for a window that no view shows.
  explicit ViewFiles(const ViewOptions& options);

  /// One run's views, made before it starts, and their files: one that cannot be written is said
  /// then.
  class Shown {
   public:
    /// Writes the files. Of several launches the n-th writes "result.n.json" for "result.json".
    void write(const report::Run& run);
    /// Has print() show the run in this view.
    void print_as(const std::string& view) { printed_ = report::Views::table().at(view).make(); }
    /// What print_as() names.
    void print(std::ostream& out, const report::Run& run) const { out << printed_->content(run); }
    /// What `--timeline` asks for, if it does.
    void print_timeline(std::ostream& out, const report::Run& run);
    /// Those of the views that watch the run.
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
