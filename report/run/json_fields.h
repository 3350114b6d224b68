// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "report/run/columns.h"
#include "report/run/document.h"

namespace shflsim::report {

/// An empty value is null.
struct ToJson {
  Json operator()(std::monostate) const { return nullptr; }
  template <class T>
  Json operator()(const T& value) const {
    return value;
  }
};

/// The value of a member of an object_of(); lists are not read.
inline Value value_of(const Json& json) {
  if (json.is_number_unsigned()) return json.get<uint64_t>();
  if (json.is_number_integer()) return json.get<int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  return {};
}

/// A row as an object with a member for each field.
template <class Row>
Json object_of(const Fields<Row>& fields, const Row& row) {
  Json object = Json::object();
  for (const Field<Row>& field : fields) object[field.key] = std::visit(ToJson(), field.get(row));
  return object;
}

/// Remarks as a list of texts.
inline Json remarks_json(const traces::Trace& trace) { return remarks_on(trace); }
inline Json remarks_json(const traces::Trace& trace, const Machine& machine) {
  Json remarks = remarks_on(trace);
  for (const std::string& remark : remarks_on(machine)) remarks.push_back(remark);
  for (const std::string& remark : remarks_on(trace, machine)) remarks.push_back(remark);
  return remarks;
}

}  // namespace shflsim::report
