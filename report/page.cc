// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include "report/json_fields.h"

namespace shflsim::report {

extern const char* const kPageHtml;
extern const char* const kPageCss;
extern const char* const kPageScript;

namespace {

void put(const std::string& mark, const std::string& text, std::string* page) {
  page->replace(page->find(mark), mark.size(), text);
}

/// As text of a script element, which nothing in it may end.
std::string embedded(const std::string& json) {
  std::string text;
  for (const char c : Json::parse(json).dump()) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string page_of(const std::string& json) {
  std::string page = kPageHtml;
  put("/*style*/", kPageCss, &page);
  put("/*script*/", kPageScript, &page);
  put("/*data*/", embedded(json), &page);
  return page;
}

}  // namespace shflsim::report
