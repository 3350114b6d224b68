// SPDX-License-Identifier: Apache-2.0
#include "isa/codec/trailer.h"

#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

#include "isa/base/input_error.h"
#include "isa/codec/codec.h"

namespace shflsim::isa {
namespace {

/// Reads the trailer's annotations; errors name the column.
class TrailerReader {
 public:
  explicit TrailerReader(std::string_view text) : text_(text) {}

  Control read() {
    for (skip_spaces(); at_ < text_.size(); skip_spaces()) read_annotation();
    return control_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw SyntaxError{what, static_cast<unsigned>(at_ + 1)};
  }

  void skip_spaces() {
    while (at_ < text_.size() &&
           (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == ';'))
      ++at_;
  }

  bool take(std::string_view wanted) {
    if (text_.substr(at_, wanted.size()) != wanted) return false;
    at_ += wanted.size();
    return true;
  }

  void read_annotation() {
    if (take("&req")) {
      if (!take("=")) take("_");
      control_.wait_mask = read_set();
    } else if (take("&rd")) {
      take("=");
      control_.read_barrier = read_scoreboard();
    } else if (take("&wr")) {
      take("=");
      control_.write_barrier = read_scoreboard();
    } else if (take("?")) {
      control_.issue_code = read_issue_code();
    } else {
      fail("unknown annotation; expected &req={...}, &rdN, &wrN or ?sched");
    }
  }

  uint8_t read_scoreboard() {
    const unsigned long number = read_number();
    if (number > 5) fail("no such scoreboard; expected 0 to 5");
    return static_cast<uint8_t>(number);
  }

  unsigned long read_number() {
    if (at_ >= text_.size() || std::isdigit(static_cast<unsigned char>(text_[at_])) == 0)
      fail("no number; expected one");
    const std::string digits(text_.substr(at_, 8));
    char* end = nullptr;
    const unsigned long number = std::strtoul(digits.c_str(), &end, 0);
    at_ += static_cast<size_t>(end - digits.c_str());
    return number;
  }

  /// {0,3} names the scoreboards; a plain number is the mask itself.
  uint8_t read_set() {
    if (!take("{")) {
      const unsigned long mask = read_number();
      if (mask > 63) fail("no such wait mask; expected 0 to 0x3f");
      return static_cast<uint8_t>(mask);
    }
    unsigned mask = 0;
    while (!take("}")) {
      mask |= 1u << read_scoreboard();
      if (!take(",") && text_.substr(at_, 1) != "}")
        fail("expected ',' or '}' in the set of scoreboards");
    }
    return static_cast<uint8_t>(mask);
  }

  uint8_t read_issue_code() {
    const size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    const std::string name(text_.substr(start, at_ - start));
    const int code = issue_code_of(name);
    if (code >= 0) return static_cast<uint8_t>(code);
    std::vector<std::string> known;
    for (uint8_t c = 1; c < 32; ++c) known.push_back(issue_code_name(c));
    at_ = start;
    fail("unknown issue code '" + name + "'" + suggestion(name, known));
  }

  std::string_view text_;
  size_t at_ = 0;
  Control control_;
};

}  // namespace

Control read_trailer(std::string_view text) { return TrailerReader(text).read(); }

}  // namespace shflsim::isa
