// SPDX-License-Identifier: Apache-2.0
// A complete view that watches the run: one file and one line.
#include "report/run/view.h"

#include <gtest/gtest.h>

#include "model/run.h"
#include "tests/support/layers.h"
#include "tests/support/suite.h"

namespace shflsim::report {
namespace view_test {

/// The cycles in which anything issued, as a text of marks.
class Marks final : public View, public model::Observer {
 public:
  model::Observer* observer() override { return this; }
  void issued(const model::ResidentWarp& /*warp*/, const model::Issue& issue) override {
    if (marks_.size() <= issue.cycle) marks_.resize(issue.cycle + 1, '.');
    marks_[issue.cycle] = '*';
  }
  std::string content(const Run& run) override { return run.trace.code.name + " " + marks_ + "\n"; }

 private:
  std::string marks_;
};
const bool marks_registered = Views::add<Marks>("marks", "the cycles in which anything issued");

TEST(View, ThatIsRegisteredWatchesTheRunThatItShows) {
  const traces::Trace trace = test::suite_trace("quad_derivatives");
  const model::ConfigLayers layers = test::layers_of("gm107");
  const std::unique_ptr<View> view = Views::table().at("marks").make();
  const model::RunResult result = model::run(trace, layers, 1, view->observer());
  EXPECT_EQ(view->content({trace, result}),
            "quad_derivatives *.....**........................*.....**............................"
            "*.....**.....**............................*.....**\n");
}

TEST(View, ThatNeedsTheResultAloneDoesNotWatch) {
  EXPECT_EQ(Views::table().at("csv").make()->observer(), nullptr);
}

}  // namespace view_test
}  // namespace shflsim::report
