// SPDX-License-Identifier: Apache-2.0
#include "cli/options/result_files.h"

#include "report/page/page.h"

namespace shflsim::cli {

std::optional<isa::OutFile> begun(const std::optional<std::string>& path) {
  if (!path) return std::nullopt;
  return isa::OutFile(*path);
}

void ResultFileOptions::list(OptionList& list, const char* row, bool has_page) {
  list.group("output", this);
  list.text("json", &json, "FILE", "write everything as JSON").common();
  list.text("csv", &csv, "FILE", std::string("write a row for ") + row).common();
  if (!has_page) return;
  list.text("html", &html, "FILE",
            "write everything as a page that opens in a browser without a network")
      .common("write a page that opens in a browser");
}

void ResultFiles::write(const std::function<std::string()>& json,
                        const std::function<std::string()>& csv) {
  if (json_) json_->finish(json());
  if (csv_) csv_->finish(csv());
  if (html_) html_->finish(report::page_of(json()));
}

}  // namespace shflsim::cli
