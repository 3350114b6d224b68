// SPDX-License-Identifier: Apache-2.0
#include "report/schema/shapes.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

namespace shflsim::report {

const Json kWhole = {{"type", "integer"}, {"minimum", 0}};
const Json kText = {{"type", "string"}};
const Json kYesOrNo = {{"type", "boolean"}};

Json list_of(const Json& item) { return {{"type", "array"}, {"items", item}}; }

Json type_of(ValueKind kind, bool has_unit) {
  switch (kind) {
    case ValueKind::kCount: return kWhole;
    case ValueKind::kDifference: return {{"type", "integer"}};
    case ValueKind::kReal: return {{"type", "number"}};
    case ValueKind::kText: return kText;
    case ValueKind::kCounts: return list_of(kWhole);
    case ValueKind::kTexts: return list_of(kText);
    case ValueKind::kCountOrNone: return {{"type", {"integer", "null"}}};
    case ValueKind::kNumberOrWord: return {{"type", {"integer", "string"}}};
    case ValueKind::kFigureOrNone: break;
  }
  return has_unit ? Json{{"type", {"number", "null"}}} : Json{{"type", {"string", "null"}}};
}

Json closed_object(Json properties, const std::vector<std::string>& optional) {
  Json required = Json::array();
  for (const auto& [key, value] : properties.items()) {
    if (std::find(optional.begin(), optional.end(), key) == optional.end()) required.push_back(key);
  }
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

Json members_of(const std::string& text) {
  static const std::map<std::string, Json> types = {{"text", kText},
                                                    {"count", kWhole},
                                                    {"yes_or_no", kYesOrNo},
                                                    {"number", {{"type", "number"}}},
                                                    {"texts", list_of(kText)},
                                                    {"counts", list_of(kWhole)},
                                                    {"figure", {{"type", {"integer", "string"}}}}};
  Json properties = Json::object();
  std::vector<std::string> optional;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const size_t colon = word.find(':');
    const std::string key = word.substr(0, colon);
    if (word.back() == '?') {
      optional.push_back(key);
      word.pop_back();
    }
    properties[key] = types.at(word.substr(colon + 1));
  }
  return closed_object(std::move(properties), optional);
}

Json document(const std::string& name, const std::string& members, const std::string& rows,
              const std::string& row) {
  Json json = members_of(members);
  json["properties"]["schema"] = {{"const", "shflsim-" + name + "/1"}};
  json["required"].push_back("schema");
  if (rows.empty()) return json;
  json["properties"][rows] = list_of(members_of(row));
  json["required"].push_back(rows);
  return json;
}

}  // namespace shflsim::report
