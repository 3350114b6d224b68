// SPDX-License-Identifier: Apache-2.0
#include "report/time/timeline.h"

#include <memory>
#include <sstream>

#include "report/run/view.h"

namespace shflsim::report {
namespace {

class TimelineView final : public View {
 public:
  TimelineView() : timelines_(std::make_unique<Timelines>(std::vector<Window>{})) {}

  bool show(const Window& window) override {
    timelines_ = std::make_unique<Timelines>(std::vector<Window>{window});
    return true;
  }
  model::Observer* observer() override { return timelines_->observer(); }
  std::string content(const Run& run) override {
    std::ostringstream out;
    timelines_->write(out, run);
    return out.str().substr(1);  // without the empty line at its beginning
  }

 private:
  std::unique_ptr<Timelines> timelines_;
};

const bool timeline_registered = Views::add<TimelineView>(
    "timeline", "a line an instruction, a column a cycle, and the critical path: --timeline");

}  // namespace
}  // namespace shflsim::report
