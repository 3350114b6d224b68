// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/run/field.h"
#include "report/run/json_fields.h"

namespace shflsim::report {

// Building blocks of schemas.

extern const Json kWhole;
extern const Json kText;
extern const Json kYesOrNo;

Json list_of(const Json& item);
Json type_of(ValueKind kind, bool has_unit);
/// An object with exactly these members; all are required except `optional`.
Json closed_object(Json properties, const std::vector<std::string>& optional = {});
/// The members "pc:text cycles:count lane:count?", where ? marks an optional one.
Json members_of(const std::string& text);
/// The schema of `--format json`: members of its own, and rows.
Json document(const std::string& name, const std::string& members, const std::string& rows,
              const std::string& row);

template <class Row>
Json properties_of(const Fields<Row>& fields) {
  Json properties = Json::object();
  for (const Field<Row>& field : fields) {
    Json one = type_of(field.kind, !field.unit.empty());
    one["description"] = field.help;
    if (!field.unit.empty()) one["x-unit"] = field.unit;
    properties[field.key] = std::move(one);
  }
  return properties;
}

template <class Row>
Json rows_of(const Fields<Row>& fields) {
  return list_of(closed_object(properties_of(fields)));
}

/// The schema of `shflsim diff` of a run and a profile, and of a run's member for a profile.
Json profile_schema();
Json profile_of_run();

}  // namespace shflsim::report
