// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "isa/files/out_file.h"
#include "model/observers.h"
#include "report/view.h"

namespace shflsim::cli {

/// `--view NAME:FILE`, and `--json FILE`, `--csv FILE` for the views of these names.
void add_view_options(boost::program_options::options_description& options);

/// The files that show a run, as the command line asks for them.
class ViewFiles {
 public:
  /// Throws InputError for an unknown view, with the nearest one.
  explicit ViewFiles(const boost::program_options::variables_map& values);

  /// One run's views, made before it starts, and their files: one that cannot be written is said
  /// then.
  class Shown {
   public:
    /// Writes the files. Of several launches the n-th writes "result.n.json" for "result.json".
    void write(const report::Run& run);
    /// Those of the views that watch the run.
    void add_observers(model::Observers* all) const;

   private:
    friend class ViewFiles;
    struct One {
      std::unique_ptr<report::View> view;
      isa::OutFile file;
    };
    std::vector<One> all_;
  };
  Shown start(size_t launch = 1, size_t launches = 1) const;

 private:
  struct Asked {
    std::string view;
    std::string path;
  };
  std::vector<Asked> asked_;
};

}  // namespace shflsim::cli
