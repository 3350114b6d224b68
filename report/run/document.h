// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace shflsim::report {

using Json = nlohmann::ordered_json;

/// A result as JSON, of whose members one holds rows: {"schema": "shflsim-list-networks/1",
/// "networks": [{"name": ...}, ...]}. Whoever looks into the JSON includes
/// report/run/json_fields.h.
class Document {
 public:
  /// `rows`: name of the member, "" where all of it is rows. `keys`: of a row, in the columns'
  /// order.
  Document(const Json& json, std::string rows, std::vector<std::string> keys);
  Document(Document&& other) noexcept;
  ~Document();

  Json& json() { return *json_; }
  const Json& json() const { return *json_; }
  const Json& rows() const;
  void add_row(const Json& row);

  std::vector<std::string> keys;

 private:
  std::unique_ptr<Json> json_;
  std::string rows_;
};

/// The whole. Bytes that are no UTF-8, of names in the user's file, are replaced.
std::string json_of(const Document& document);
/// An object a line, one for each row.
std::string json_lines_of(const Document& document);
/// A line with the keys, and one for each row, quoted as RFC 4180 says; lists are joined
/// by blanks, or "; " where they hold texts.
std::string csv_of(const Document& document);

}  // namespace shflsim::report
