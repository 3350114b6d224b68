// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/text/outline.h"

#include <algorithm>

namespace shflsim::isa::ptx {
namespace {

class OutlineReader {
 public:
  explicit OutlineReader(std::string_view text) : text_(text) {}

  std::string read() {
    while (at_ < text_.size()) {
      switch (text_[at_]) {
        case '/': take_comment(); break;
        case '"': take_string(); break;
        case '{': open(); break;
        case '}': close(); break;
        default: take(text_[at_++]); break;
      }
    }
    return std::move(outline_);
  }

 private:
  void take(char c) {
    if (!is_body_) outline_ += c;
    if (is_body_ && c == '\n') outline_ += c;
    if (!is_body_ && c != ' ' && c != '\n' && c != '\t' && c != '\r') last_ = c;
  }
  void take_upto(size_t end) {
    for (end = std::min(end, text_.size()); at_ < end;) take(text_[at_++]);
  }

  void take_comment() {
    const std::string_view start = text_.substr(at_, 2);
    if (start != "//" && start != "/*") return take(text_[at_++]);
    const size_t found = text_.find(start == "//" ? "\n" : "*/", at_ + 2);
    const size_t end = std::min(found, text_.size());
    for (; at_ < end; ++at_) {
      if (text_[at_] == '\n') outline_ += '\n';
    }
    if (start == "/*") at_ = std::min(end + 2, text_.size());
  }

  void take_string() { take_upto(std::min(text_.find('"', at_ + 1), text_.size() - 1) + 1); }

  /// Braces after '=' contain initial values of a variable.
  void open() {
    if (depth_++ == 0) {
      const bool is_data = last_ == '=';
      take('{');
      is_body_ = !is_data;
    } else {
      take('{');
    }
    ++at_;
  }

  void close() {
    if (depth_ > 0 && --depth_ == 0) is_body_ = false;
    take('}');
    ++at_;
  }

  const std::string_view text_;
  size_t at_ = 0;
  size_t depth_ = 0;
  bool is_body_ = false;
  char last_ = '\0';  ///< the last kept character that is not a blank
  std::string outline_;
};

}  // namespace

std::string outline(std::string_view text) { return OutlineReader(text).read(); }

}  // namespace shflsim::isa::ptx
