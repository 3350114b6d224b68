// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace shflsim::report {

using Json = nlohmann::ordered_json;

/// A result as JSON with a member that holds rows: {"schema": "shflsim-list-networks/1",
/// "networks": [{"name": ...}, ...]}. Users of the JSON include
/// report/run/json_fields.h.
class Document {
 public:
  /// `rows`: name of the member with the rows, "" if the whole JSON is rows. `keys`: the keys of a
  /// row, in the order of the columns.
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

/// The document as JSON. Invalid UTF-8, of names in the user's file, is replaced.
std::string json_of(const Document& document);
/// JSON lines: one object per row.
std::string json_lines_of(const Document& document);
/// CSV: a line with the keys, then one per row, quoted as RFC 4180 says. Lists are joined by
/// blanks, or by "; " if they hold texts.
std::string csv_of(const Document& document);

}  // namespace shflsim::report
