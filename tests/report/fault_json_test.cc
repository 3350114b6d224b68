// SPDX-License-Identifier: Apache-2.0
#include "report/run/fault_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "isa/base/faults.h"

namespace shflsim::report {
namespace fault_json_test {

using Json = nlohmann::json;

Json read(const std::string& text) { return Json::parse(text); }

TEST(FaultJson, HasAnObjectAFaultWithItsPlaceAndWhatWasExpected) {
  const InputError error({{{"a.sass", 2, 6}, "no such word 'x'; expected an opcode"},
                          {{"a.sass", 3}, "cut off"},
                          {{}, "no memory"}},
                         0);
  EXPECT_EQ(read(fault_json(error, {})), Json::parse(R"({
    "schema": "shflsim-errors/1",
    "errors": [
      {"file": "a.sass", "line": 2, "column": 6, "what": "no such word 'x'",
       "expected": "an opcode"},
      {"file": "a.sass", "line": 3, "what": "cut off"},
      {"what": "no memory"}]})"));
}

TEST(FaultJson, EndsWhatIsWrongWhereWhatWasExpectedBegins) {
  const Json json = read(fault_json(InputError("'a; expected b'; expected c; known: d"), {}));
  EXPECT_EQ(json["errors"][0]["what"], "'a; expected b'");
  EXPECT_EQ(json["errors"][0]["expected"], "c; known: d");
}

TEST(FaultJson, IsJsonWhateverBytesTheUserWrote) {
  const Json json = read(fault_json(InputError({"a\xff\n"}, "no \"x\x1b\""), {}));
  EXPECT_EQ(json["errors"][0]["file"], "a\xef\xbf\xbd\n");
  EXPECT_EQ(json["errors"][0]["what"], "no \"x\x1b\"");
}

TEST(FaultJson, CountsTheFaultsThatAreNotTold) {
  Faults faults;
  for (unsigned line = 1; line <= 23; ++line) faults.add(InputError({"f", line}, "no"));
  try {
    faults.raise();
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    const Json json = read(fault_json(error, {}));
    EXPECT_EQ(json["errors"].size(), Faults::kMostTold);
    EXPECT_EQ(json["more"], 3);
  }
}

TEST(FaultJson, HasTheRemarksThatWereMadeBefore) {
  const Json json = read(fault_json(std::string("a\nb\n"), {"warning: c"}));
  EXPECT_EQ(json["errors"], Json::parse(R"([{"what": "a\nb"}])"));
  EXPECT_EQ(json["remarks"], Json::parse(R"(["warning: c"])"));
}

}  // namespace fault_json_test
}  // namespace shflsim::report
