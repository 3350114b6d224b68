// SPDX-License-Identifier: Apache-2.0
#include "report/fault_text.h"

#include <algorithm>
#include <filesystem>

#include "isa/reader/source.h"
#include "isa/text_cursor.h"

namespace shflsim::report {
namespace {

constexpr size_t kLongestLine = 400;  // bytes: of longer ones nothing would be seen
constexpr uintmax_t kLargestFile = uintmax_t{64} << 20;

/// Lines of the files that faults are in; the last file is kept.
class SourceLines {
 public:
  /// The line that `where` is in, without its end; "" where it cannot be had.
  std::string at(const Position& where) {
    if (where.file != file_) open(where.file);
    size_t begin = 0;
    for (unsigned line = 1; line < where.line && begin < text_.size(); ++line)
      begin = std::min(text_.find('\n', begin), text_.size() - 1) + 1;
    return text_.substr(begin, text_.find_first_of("\r\n", begin) - begin);
  }

 private:
  void open(const std::string& file) {
    file_ = file;
    text_.clear();
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) return;  // a pipe can be read but once
    if (std::filesystem::file_size(file, error) > kLargestFile) return;
    try {
      text_ = isa::read_source_text(file).text;
    } catch (const InputError&) {
      text_.clear();
    }
  }

  std::string file_;
  std::string text_;
};

size_t columns_of(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80;
  }));
}

/// The word that a fault is about: letters with what may stand in front of them, else one
/// character.
size_t width_at(const std::string& line, size_t at) {
  size_t end = at;
  while (end < line.size() && (line[end] == '.' || line[end] == '%' || line[end] == '-')) ++end;
  while (end < line.size() && (isa::is_word(line[end]) || line[end] == '.')) ++end;
  return std::max<size_t>(end - at, 1);
}

std::string with_caret(std::string line, size_t column) {
  std::replace(line.begin(), line.end(), '\t', ' ');
  if (line.empty() || column == 0 || column > line.size() + 1 || line.size() > kLongestLine)
    return "";
  const size_t before = columns_of(printable(line.substr(0, column - 1)));
  return "  " + printable(line) + "\n  " + std::string(before, ' ') + "^" +
         std::string(width_at(line, column - 1) - 1, '~') + "\n";
}

}  // namespace

std::string fault_text(const InputError& error, bool with_source) {
  if (!with_source) return std::string(error.what()) + "\n";
  SourceLines source;
  std::string text;
  for (const Fault& fault : error.faults())
    text += fault.line() + "\n" + with_caret(source.at(fault.where), fault.where.column);
  return error.untold() == 0 ? text : text + error.untold_line() + "\n";
}

}  // namespace shflsim::report
