// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/run.h"
#include "report/page/page.h"
#include "report/page/page_parts.h"
#include "report/run/view.h"
#include "tests/support/layers.h"
#include "tests/support/suite.h"

namespace shflsim::report {
namespace html_test {

using Json = nlohmann::json;

/// The data that the page's script reads.
Json data_of(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(HtmlPage, HoldsItsDataWhateverTextsAreInIt) {
  const Json json = {{"schema", "shflsim-results/1"},
                     {"rows", {"</script><b>", "<!--", "/*data*/"}}};
  EXPECT_EQ(data_of(page_of(json.dump())), json);
}

TEST(HtmlPage, NamesNothingOutsideItself) {
  for (const std::string_view part : {page_html(), page_style(), page_script(), uplot_style()}) {
    for (const char* way : {"src=", "href=", "@import", "https:", "fetch("})
      EXPECT_EQ(part.find(way), std::string::npos) << way;
  }
  EXPECT_NE(page_of("{}").find("default-src 'none'"), std::string::npos);
}

TEST(HtmlPage, HasTheLibrariesThatItUsesWithTheirLicences) {
  if (vega_script().empty()) GTEST_SKIP() << "built without npm: no libraries that draw charts";
  const std::string run = page_of(R"({"schema": "shflsim-run/1"})");
  const std::string sweep = page_of(R"({"schema": "shflsim-results/1"})");
  for (const std::string& page : {run, sweep})
    EXPECT_NE(page.find(vega_script()), std::string::npos);
  EXPECT_NE(run.find(uplot_script()), std::string::npos);
  EXPECT_EQ(sweep.find(uplot_script()), std::string::npos);
  EXPECT_LT(run.size(), 3u << 20);
  EXPECT_NE(uplot_script().find("Copyright (c) 2022 Leon Sorokin"), std::string::npos);
  EXPECT_NE(vega_script().find("University of Washington"), std::string::npos);
}

TEST(HtmlPage, SaysWhatIsMissingInThePlaceOfAChart) {
  EXPECT_NE(page_script().find("built without npm"), std::string::npos);
}

TEST(HtmlPage, HasAColourForEveryWarpState) {
  const std::string page = page_of("{}");
  for (size_t state = 0; state < model::kWarpStates; ++state) {
    const std::string name = model::warp_state_name(static_cast<model::WarpState>(state));
    EXPECT_NE(page.find(" " + name + ": \"#"), std::string::npos) << name;
  }
}

class HtmlView : public ::testing::Test {
 protected:
  HtmlView() : trace_(test::suite_trace("block_reduce")) {
    const model::ConfigLayers layers = test::layers_of("gm107");
    const std::unique_ptr<View> view = Views::table().at("html").make();
    result_ = model::run(trace_, layers, 1, view->observer());
    data_ = data_of(view->content({trace_, result_}));
  }
  /// The cycles of a state, summed over the rows.
  static uint64_t sum_of_state(const Json& rows, size_t state) {
    uint64_t sum = 0;
    for (const Json& row : rows) sum += row[state].get<uint64_t>();
    return sum;
  }

  traces::Trace trace_;
  model::RunResult result_;
  Json data_;
};

uint64_t sum_of(const Json& numbers) {
  uint64_t sum = 0;
  for (const Json& number : numbers) sum += number.get<uint64_t>();
  return sum;
}

TEST_F(HtmlView, AddsUpOverTimeAndByWarpToTheStatesOfTheRun) {
  const Json& over_time = data_["over_time"];
  const uint64_t width = over_time["cycles"];
  for (size_t state = 0; state < model::kWarpStates; ++state) {
    const uint64_t cycles = data_["states"][state]["cycles"];
    EXPECT_EQ(sum_of(over_time["states"][state]), cycles);
    EXPECT_EQ(sum_of_state(data_["warp_states"], state), cycles);
    EXPECT_EQ(over_time["states"][state].size(), (result_.cycles + width - 1) / width);
  }
}

TEST_F(HtmlView, HasEachPassOfACrossbarAtThePortsOfTheLanesThatExecute) {
  const Json& ports = data_["ports_over_time"]["ports"];
  ASSERT_EQ(ports.size(), 32u);
  for (const Json& port : ports) EXPECT_EQ(sum_of(port["passes"]), 8u) << port["port"];
  EXPECT_EQ(data_["totals"]["passes"], 8);
}

TEST_F(HtmlView, AddsUpOverTimeToTheBusyCyclesOfEachUnit) {
  const Json& strips = data_["units_over_time"]["strips"];
  ASSERT_EQ(strips.size(), 4 + data_["units"].size());
  uint64_t issues = 0;
  for (size_t s = 0; s < 4; ++s) issues += sum_of(strips[s]["busy"]);
  EXPECT_EQ(issues, result_.states[static_cast<size_t>(model::WarpState::kSelected)]);
  for (size_t unit = 0; unit < data_["units"].size(); ++unit) {
    const Json& strip = strips[4 + unit];
    EXPECT_EQ(strip["unit"], data_["units"][unit]["unit"]);
    EXPECT_EQ(sum_of(strip["busy"]), data_["units"][unit]["busy"]) << strip["unit"];
  }
}

TEST_F(HtmlView, HasNoMoreBusyCyclesInABinThanItsUnitsHave) {
  const Json& units = data_["units_over_time"];
  const uint64_t width = units["cycles"];
  for (const Json& strip : units["strips"]) {
    EXPECT_EQ(strip["busy"].size(), (result_.cycles + width - 1) / width);
    EXPECT_LE(strip["busy"].size(), 200u);
    for (const Json& busy : strip["busy"])
      EXPECT_LE(busy, width * strip["instances"].get<uint64_t>()) << strip["unit"];
  }
}

TEST_F(HtmlView, FollowsTheCriticalPathThroughAllOfTheRun) {
  uint64_t cycles = 0;
  for (const Json& row : data_["critical_path"]) cycles += row["cycles"].get<uint64_t>();
  EXPECT_EQ(cycles, result_.cycles);
}

TEST_F(HtmlView, HasTheLaneMapOfEveryShuffleThatIsExecuted) {
  for (size_t i = 0; i < trace_.code.lines.size(); ++i) {
    const bool has_map = data_["lane_maps"].contains(std::to_string(i));
    EXPECT_EQ(has_map, trace_.code.lines[i].is_shuffle() && result_.instructions[i].issued > 0)
        << i;
  }
  ASSERT_EQ(trace_.code.lines[3].text, "SHFL.DOWN PT, R3, R4, 0x10, 0x1f");
  const Json& first = data_["lane_maps"]["3"]["shown"][0];
  for (unsigned lane = 0; lane < isa::kLanes; ++lane)
    EXPECT_EQ(first["source"][lane], lane < 16 ? lane + 16 : lane);
}

}  // namespace html_test
}  // namespace shflsim::report
