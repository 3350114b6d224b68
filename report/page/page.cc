// SPDX-License-Identifier: Apache-2.0
#include "report/page/page.h"

#include "report/page/described_columns.h"
#include "report/page/page_parts.h"
#include "report/run/columns.h"
#include "report/run/json_fields.h"

namespace shflsim::report {
namespace {

void put(const std::string& mark, std::string_view text, std::string* page) {
  page->replace(page->find(mark), mark.size(), text);
}

/// The JSON as text of a script element, escaped so that nothing in it ends the element.
std::string embedded(const Json& json) {
  std::string text;
  for (const char c : json.dump()) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

/// Unit and help of each key on pages of this schema; no help if the key has several meanings.
Json keys_of(const std::string& schema) {
  Json keys = Json::object();
  for (const DescribedColumn& column : described_columns()) {
    const std::string list = column.list.substr(0, column.list.find(','));
    const std::string its = list == "compare" ? "compare" : list == "sweep" ? "results" : "run";
    if (schema.rfind("shflsim-" + its + "/", 0) != 0) continue;
    Json& key = keys[column.key];
    if (key.is_null()) {
      key = {{"unit", column.unit}, {"help", column.help}};
    } else if (key["help"] != column.help) {
      key["help"] = "";
    }
  }
  return keys;
}

}  // namespace

std::string page_of(const std::string& text) {
  const Json json = Json::parse(text);
  const std::string schema = json.value("schema", "");
  const bool is_run = schema.rfind("shflsim-run/", 0) == 0;
  std::string style(page_style());
  std::string libraries(vega_script());
  if (is_run) {  // only this page has plots over time
    style += uplot_style();
    libraries += uplot_script();
  }
  std::string page(page_html());
  // From the last mark to the first, so that inserted text is not searched.
  put("/*script*/", page_script(), &page);
  put("/*libraries*/", libraries, &page);
  put("/*keys*/", embedded(keys_of(schema)), &page);
  put("/*data*/", embedded(json), &page);
  put("/*style*/", style, &page);
  return page;
}

}  // namespace shflsim::report
