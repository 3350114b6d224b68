// SPDX-License-Identifier: Apache-2.0
#include "report/schema/shapes.h"

namespace shflsim::report {
namespace {

/// The members of a profile other than its rows.
Json profile_head() {
  Json json = members_of(
      "file:text kernel:text launches:count aligned:count samples:count repeated:yes_or_no");
  for (const char* key : {"by_state", "by_instruction"}) {
    json["properties"][key] = {{"type", {"number", "null"}}};
    json["required"].push_back(key);
  }
  return json;
}

}  // namespace

Json profile_schema() {
  Json json = document("profile", "version:text", "differences",
                       "part:text pc:text text:text figure:text metric:text model:number "
                       "profile:number difference:number");
  json["properties"]["run"] = members_of("file:text title:text");
  json["properties"]["profile"] = profile_head();
  for (const char* key : {"run", "profile"}) json["required"].push_back(key);
  return json;
}

Json profile_of_run() {
  Json json = profile_head();
  const std::string share = "state:text model:number profile:number difference:number";
  json["properties"]["states"] = list_of(members_of(share));
  json["properties"]["instructions"] = list_of(members_of("pc:text text:text " + share));
  json["properties"]["counters"] =
      list_of(members_of("figure:text metric:text model:number profile:number"));
  for (const char* key : {"states", "instructions", "counters"}) json["required"].push_back(key);
  return json;
}

}  // namespace shflsim::report
