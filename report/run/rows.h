// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/run/document.h"
#include "report/run/json_fields.h"

namespace shflsim::report {

/// A document whose rows have these fields.
template <class Row, class Items>
Document document_of(const std::string& schema, const std::string& rows, const Fields<Row>& fields,
                     const Items& items) {
  Document document(Json{{"schema", schema}, {rows, Json::array()}}, rows, {});
  for (const Field<Row>& field : fields) document.keys.push_back(field.key);
  for (const auto& item : items) document.add_row(object_of<Row>(fields, item));
  return document;
}

/// The JSON as text. Invalid UTF-8, of names in the user's file, is replaced.
std::string json_of(const Json& json);
/// JSON lines: one object per row.
std::string json_lines_of(const Json& rows);

}  // namespace shflsim::report
