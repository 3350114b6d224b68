// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/recorded_launch.h"

#include "isa/base/launch_error.h"
#include "model/core/interruption.h"
#include "model/run.h"
#include "traces/live_launch.h"
#include "traces/recorder.h"
#include "traces/shft/file_recorder.h"

namespace shflsim::cli {
namespace {

/// Executes the launch; the recorder observes its steps.
isa::Outcome execute(const LaunchOnMemory& what, const model::ConfigLayers& machine, unsigned sms,
                     isa::StepObserver* recorder) {
  model::effective_config(machine);  // reports an invalid config before any work
  const auto live =
      std::make_shared<traces::LiveLaunch>(what.program, what.launch, what.memory, what.options);
  live->record(recorder);
  try {
    const model::RunResult result =
        model::run(traces::live_trace(what.program, what.launch, live), machine, sms);
    if (!result.stopped_by.empty())
      throw model::Interrupted("stopped by " + result.stopped_by + " while the launch ran",
                               model::interruption.stop);
  } catch (const isa::LaunchError&) {
    throw;
  } catch (const InputError&) {
    if (live->has_begun()) throw;
  }
  live->finish();
  return live->outcome();
}

}  // namespace

traces::Trace recorded(const LaunchOnMemory& what, const model::ConfigLayers& machine) {
  traces::Recorder recorder(what.program, what.launch,
                            traces::Recorder::room_for(what.options.step_limit));
  return recorder.finish(execute(what, machine, 1, &recorder));
}

isa::Outcome recorded_to_file(const std::string& path, const LaunchOnMemory& what,
                              const model::ConfigLayers& machine, unsigned sms) {
  traces::FileRecorder recorder(
      path, traces::empty_trace(what.program, what.launch),
      {what.launch.grid, what.launch.block, isa::cluster_of(what.program, what.launch)});
  const isa::Outcome outcome = execute(what, machine, sms, &recorder);
  recorder.finish(outcome);
  return outcome;
}

}  // namespace shflsim::cli
