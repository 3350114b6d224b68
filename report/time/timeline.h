// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <ostream>
#include <vector>

#include "model/observers.h"
#include "report/run/columns.h"
#include "report/time/critical_path.h"
#include "report/time/overview.h"
#include "report/time/pipeline.h"

namespace shflsim::report {

/// Warps that a timeline shows by default.
constexpr Window::Warps kFirstWarps = {0, 3};

/// A part of a run as text, a line per warp instruction and a column per cycle. A window wider than
/// the screen is drawn in parts below one another; one without an end only as its first part.
class Timeline {
 public:
  explicit Timeline(const Window& window);

  model::Observer* observer() { return &pipeline_; }
  void write(std::ostream& out, const Run& run);

 private:
  const bool has_end_;
  Pipeline pipeline_;
};

/// An overview of the whole run, windows of it, and its critical path.
class Timelines {
 public:
  /// Without windows, or for a window that names nothing, shows the overview.
  explicit Timelines(const std::vector<Window>& windows);

  model::Observer* observer() { return observers_.combined(); }
  void write(std::ostream& out, const Run& run);

 private:
  std::unique_ptr<Overview> overview_;
  std::deque<Timeline> timelines_;
  CriticalPath path_;
  model::Observers observers_;
};

}  // namespace shflsim::report
