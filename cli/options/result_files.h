// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/options/option_list.h"
#include "isa/base/out_file.h"

namespace shflsim::cli {

/// Opens the file that an option names, before the work. Throws InputError if it cannot be written.
/// Returns nothing if the option was not given.
std::optional<isa::OutFile> begun(const std::optional<std::string>& path);

/// `--json`, `--csv` and `--html` of commands whose result is one document. `row` describes a row
/// of the CSV. Some results have no HTML page.
struct ResultFileOptions : OptionGroup {
  std::optional<std::string> json;
  std::optional<std::string> csv;
  std::optional<std::string> html;

  void list(OptionList& list, const char* row, bool has_page = true);
};

/// The files of ResultFileOptions, opened before the work.
class ResultFiles {
 public:
  explicit ResultFiles(const ResultFileOptions& options)
      : json_(begun(options.json)), csv_(begun(options.csv)), html_(begun(options.html)) {}

  /// Makes only the contents that a file was given for; the page is made from the JSON.
  void write(const std::function<std::string()>& json, const std::function<std::string()>& csv);

 private:
  std::optional<isa::OutFile> json_;
  std::optional<isa::OutFile> csv_;
  std::optional<isa::OutFile> html_;
};

}  // namespace shflsim::cli
