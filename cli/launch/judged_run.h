// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cli/options/option_list.h"
#include "cli/options/view_options.h"
#include "model/core/run_result.h"
#include "report/run/verdict.h"
#include "sweep/sensitivity.h"

namespace shflsim::cli {

/// `--what-if`: machines to try besides the one that is timed.
struct WhatIfOptions : OptionGroup {
  std::vector<Strings> what_ifs;  ///< the settings of each: KEY=VALUE
  bool without_verdict = false;

  void list(OptionList& list);
};

/// A timed run with its verdict.
struct JudgedRun {
  model::RunResult result;
  std::optional<report::Verdict> verdict;  ///< none if none is wanted or the run was stopped
};

/// Times a trace as watched_run() does and judges it: what bounds it, and what other machines
/// would change, those of the options last. Throws InputError for invalid what-ifs before any
/// work.
JudgedRun judged_run(const sweep::Subject& subject, const ViewFiles::Shown& shown,
                     model::Cycle most_cycles, unsigned threads, const WhatIfOptions& options);

}  // namespace shflsim::cli
