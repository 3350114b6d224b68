// SPDX-License-Identifier: Apache-2.0
#include "cli/watched_run.h"

#include "model/run.h"
#include "report/messages.h"
#include "report/progress.h"

namespace shflsim::cli {

model::RunResult watched_run(const traces::Trace& trace, const model::ConfigLayers& layers,
                             unsigned sms, const ViewFiles::Shown& shown) {
  report::ProgressLine line(report::progress_out());
  report::RunProgress progress(&line, trace.warps.size());
  model::Observers observers;
  shown.add_observers(&observers);
  if (line.is_shown()) observers.add(&progress);
  const report::TimedDetail timed("timed " + trace.code.name);
  return model::run(trace, layers, sms, observers.combined());
}

}  // namespace shflsim::cli
