// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/json_fields.h"

namespace shflsim::report {

/// A result as JSON, of whose members one holds rows: {"schema": "shflsim-list-networks/1",
/// "networks": [{"name": ...}, ...]}.
struct Document {
  Json json;
  std::string rows;               ///< name of the member; "" where all of it is rows
  std::vector<std::string> keys;  ///< of a row, in the columns' order
};
const Json& rows_of(const Document& document);
/// One whose rows have these fields.
template <class Row, class Items>
Document document_of(const std::string& schema, const std::string& rows, const Fields<Row>& fields,
                     const Items& items) {
  Document document{{{"schema", schema}, {rows, Json::array()}}, rows, {}};
  for (const Field<Row>& field : fields) document.keys.push_back(field.key);
  for (const auto& item : items) document.json[rows].push_back(object_of<Row>(fields, item));
  return document;
}

/// The whole. Bytes that are no UTF-8, of names in the user's file, are replaced.
std::string json_of(const Json& json);
/// An object a line, one for each row.
std::string json_lines_of(const Json& rows);
/// A line with the keys, and one for each row, quoted as RFC 4180 says; lists are joined
/// by blanks, or "; " where they hold texts.
std::string csv_of(const Document& document);

}  // namespace shflsim::report
