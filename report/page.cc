// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include "report/json_fields.h"
#include "report/page_parts.h"

namespace shflsim::report {
namespace {

void put(const std::string& mark, std::string_view text, std::string* page) {
  page->replace(page->find(mark), mark.size(), text);
}

/// As text of a script element, which nothing in it may end.
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

}  // namespace

std::string page_of(const std::string& text) {
  const Json json = Json::parse(text);
  const bool is_run = json.value("schema", "").rfind("shflsim-run/", 0) == 0;
  std::string style(page_style());
  std::string libraries(vega_script());
  if (is_run) {  // no other page has plots over time
    style += uplot_style();
    libraries += uplot_script();
  }
  std::string page(page_html());
  // From the last mark to the first: what has been put in is not searched.
  put("/*script*/", page_script(), &page);
  put("/*libraries*/", libraries, &page);
  put("/*data*/", embedded(json), &page);
  put("/*style*/", style, &page);
  return page;
}

}  // namespace shflsim::report
