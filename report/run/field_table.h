// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "report/run/field.h"
#include "report/terminal/text_table.h"

namespace shflsim::report {

/// A value as text, with one or three decimals; "" if it is empty.
std::string figure_text(const Value& figure);

/// The columns of a text table for the fields that have a heading.
template <class Row>
std::vector<TextColumn> text_columns(const Fields<Row>& columns, const std::vector<Row>& rows) {
  std::vector<TextColumn> texts;
  for (const Field<Row>& column : columns) {
    if (column.heading.empty()) continue;
    TextColumn text{column.heading, false};
    text.rank = rank_of(column.key);
    for (const Row& row : rows) {
      const Value figure = column.get(row);
      text.left = std::holds_alternative<std::string>(figure);
      text.cells.push_back(figure_text(figure));
    }
    texts.push_back(text);
  }
  return texts;
}

}  // namespace shflsim::report
