// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/judged_run.h"

#include "cli/launch/watched_run.h"
#include "cli/options/spec.h"
#include "isa/base/input_error.h"
#include "model/run.h"
#include "report/terminal/progress.h"
#include "report/time/verdict_watch.h"
#include "sweep/jobs.h"
#include "sweep/what_if.h"

namespace shflsim::cli {
namespace {

void refuse_no_machines(const model::ConfigLayers& layers, const std::vector<Strings>& what_ifs) {
  for (const Strings& settings : what_ifs) {
    model::ConfigLayers changed = layers;
    for (const std::string& setting : settings) changed.add_setting(setting, "--what-if");
    model::effective_config(changed);
  }
}

/// False if the launch writes memory of this process, so that it can be executed only once.
bool is_repeatable(const traces::Trace& trace) {
  return trace.source == nullptr || trace.source->is_repeatable();
}

}  // namespace

void WhatIfOptions::list(OptionList& list) {
  list.group("machine", this);
  list.add("what-if", &what_ifs, "KEY=VALUE",
           "also run with KEY=VALUE,KEY=VALUE set over the machine, and say what it does to the "
           "cycles; repeatable",
           [this](const std::string& text, const std::string& option) {
             what_ifs.push_back(split_at_commas(text));
             if (what_ifs.back().empty())
               throw InputError(option + " '" + text + "'; expected KEY=VALUE");
           })
      .common("also run with KEY=VALUE set, and say what changes")
      .repeats = true;
  list.flag("no-verdict", &without_verdict,
            "leave out what bounds the run and what another shuffle unit would gain: faster");
  list.excludes(&without_verdict, {&what_ifs}, ", which are part of it");
}

JudgedRun judged_run(const sweep::Subject& subject, const ViewFiles::Shown& shown,
                     model::Cycle most_cycles, unsigned threads, const WhatIfOptions& options) {
  JudgedRun run;
  if (options.without_verdict) {
    run.result =
        watched_run(subject.trace, subject.layers, subject.sms, shown, most_cycles, threads);
    return run;
  }
  refuse_no_machines(subject.layers, options.what_ifs);
  std::unique_ptr<sweep::BegunJob> begun;
  if (is_repeatable(subject.trace)) begun = sweep::begun_what_if(subject);
  report::VerdictWatch watch;
  run.result = watched_run(subject.trace, subject.layers, subject.sms, shown, most_cycles, threads,
                           watch.observer());
  if (!run.result.stopped_by.empty()) return run;
  report::Verdict verdict = watch.verdict({subject.trace, run.result});
  if (!is_repeatable(subject.trace)) {
    run.verdict = std::move(verdict);
    return run;
  }
  verdict.what_ifs = sweep::shuffle_what_ifs(run.result, verdict.shuffles);
  for (const Strings& settings : options.what_ifs)
    verdict.what_ifs.push_back({"", settings, {}, ""});
  sweep::take_begun(subject, std::move(begun), &verdict.what_ifs);
  report::ProgressLine progress(report::progress_out());
  sweep::run_what_ifs(
      subject, sweep::default_processes(), &verdict.what_ifs,
      [&](size_t done, size_t all) { progress.update_count(done, all, "what-ifs"); });
  run.verdict = std::move(verdict);
  return run;
}

}  // namespace shflsim::cli
