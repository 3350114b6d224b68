// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/options/option_list.h"
#include "isa/base/out_file.h"

namespace shflsim::cli {

/// The file that an option names, opened before the work: throws InputError at once where it cannot
/// be written. None if the option was not given.
std::optional<isa::OutFile> begun(const std::optional<std::string>& path);

/// `--json`, `--csv` and `--html` of commands whose result is one document. `row` describes a row
/// of the CSV; not every result has a page.
struct ResultFileOptions : OptionGroup {
  std::optional<std::string> json;
  std::optional<std::string> csv;
  std::optional<std::string> html;

  void list(OptionList& list, const char* row, bool has_page = true);
};

/// Those files, begun before the work.
class ResultFiles {
 public:
  explicit ResultFiles(const ResultFileOptions& options)
      : json_(begun(options.json)), csv_(begun(options.csv)), html_(begun(options.html)) {}

  /// Each content is made only where there is a file for it; the page is made of the JSON.
  void write(const std::function<std::string()>& json, const std::function<std::string()>& csv);

 private:
  std::optional<isa::OutFile> json_;
  std::optional<isa::OutFile> csv_;
  std::optional<isa::OutFile> html_;
};

}  // namespace shflsim::cli
