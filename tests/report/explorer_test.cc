// SPDX-License-Identifier: Apache-2.0
// The functions that the explorer's page calls, compiled here; scripts/explorer --test checks it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/run.h"
#include "report/explain/shuffle_request.h"
#include "report/run/compare_design.h"
#include "tests/support/layers.h"

extern "C" {
const char* shflsim_machine(const char* values);
const char* shflsim_explain(const char* request);
const char* shflsim_lanes(const char* pattern);
const char* shflsim_pass(const char* request, const char* pass);
}

namespace shflsim::report {
namespace explorer_test {

/// The value of every key of the machine, in the form in which page.py passes it.
std::string values_of(const model::ConfigLayers& layers) {
  Json values = Json::object();
  for (const model::ConfigValue& value : model::effective_config(layers))
    values[value.key] = value.value;
  return values.dump();
}

TEST(Explorer, AnswersAsExplainDoesOnTheMachineThatItIsGiven) {
  const std::string request =
      R"({"text": "SHFL.IDX P0, R1, R0, R2, 0x1f", "sb": "lane*5%32", "lanes": "0xffff"})";
  for (const char* setting : {"shuffle.banked.banks=8", "shuffle.banked.banks=2"}) {
    const model::ConfigLayers layers = test::layers_of("gh100", {setting});
    const Json networks = Json::parse(shflsim_machine(values_of(layers).c_str()));
    EXPECT_EQ(networks.size(), model::ShuffleNetworks::names().size());
    EXPECT_EQ(networks[0]["name"], "banked");
    const auto choice = network_choice(layers);
    EXPECT_EQ(shflsim_explain(request.c_str()),
              explanation(shuffle_request(request), *choice).json().dump());
  }
  EXPECT_NE(std::string(shflsim_explain(request.c_str())).find("bank 1"), std::string::npos);
}

TEST(Explorer, SaysWhatItCannotUse) {
  const auto error_of = [](const char* answer) {
    return Json::parse(answer).at("error").get<std::string>();
  };
  EXPECT_EQ(error_of(shflsim_lanes("lane/0")),
            "values: 'lane/0' divides by 0; expected another number");
  const model::ConfigLayers layers = test::layers_of("gm107");
  Json values = Json::parse(values_of(layers));
  values["shuffle.banked.banks"] = "3";
  EXPECT_EQ(error_of(shflsim_machine(values.dump().c_str())),
            "shuffle.banked.banks = 3; expected a power of two from 1 to 32");
}

TEST(Explorer, DrawsAPassOfANetworkWithWires) {
  const model::ConfigLayers layers = test::layers_of("gh100");
  shflsim_machine(values_of(layers).c_str());
  const auto drawn = [](const std::string& network, const char* pass) {
    return std::string(shflsim_pass(
        (R"({"text": "SHFL.IDX PT, R1, R0, R2, 0x1f", "sb": "lane*8%32", "networks": [")" +
         network + "\"]}")
            .c_str(),
        pass));
  };
  EXPECT_EQ(drawn("ring", "0").substr(0, 5), "<svg ");
  EXPECT_NE(drawn("ring", "0"), drawn("ring", "1"));
  EXPECT_EQ(drawn("shared_memory", "0"), "");
}

TEST(Explorer, GivesAPatternsValues) {
  EXPECT_EQ(Json::parse(shflsim_lanes("lane*3")).get<std::vector<int>>().at(31), 93);
}

}  // namespace explorer_test
}  // namespace shflsim::report
