// SPDX-License-Identifier: Apache-2.0
#include "report/terminal/fault_text.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "isa/base/text_cursor.h"
#include "isa/dialects/source.h"

namespace shflsim::report {
namespace {

constexpr size_t kLongestLine = 400;  // bytes; longer lines are not shown
constexpr uintmax_t kLargestFile = uintmax_t{64} << 20;

/// The lines of the files that have faults; the last file is cached.
class SourceLines {
 public:
  /// The line at `where`, without its end; "" if it is not available.
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
    if (!std::filesystem::is_regular_file(file, error)) return;  // a pipe can be read only once
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

/// The width of the word that a fault refers to: letters with the signs that may precede them, else
/// one character.
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

/// The position of a fault in the words: a word and a character in it.
struct Culprit {
  size_t word = 0;
  size_t at = 0;
};

/// Text in quotes in a message is as the user wrote it: a word or the end of one.
std::optional<Culprit> culprit(const Fault& fault, const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i) {  // the word itself is parsed, and has a column
    if (fault.where.file == "'" + words[i] + "'" && fault.where.column > 0)
      return Culprit{i, fault.where.column - 1};
  }
  const size_t open = fault.what.find('\'');
  const size_t close = fault.what.find('\'', open + 1);
  if (close == std::string::npos || close == open + 1) return std::nullopt;
  const std::string quoted = fault.what.substr(open + 1, close - open - 1);
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t at = words[i].rfind(quoted);
    const bool begins = at == 0 || (at != std::string::npos && !isa::is_word(words[i][at - 1]));
    const size_t end = at + quoted.size();
    if (begins && (end == words[i].size() || !isa::is_word(words[i][end]))) return Culprit{i, at};
  }
  return std::nullopt;
}

/// The word, with the option before it that it may belong to.
std::string on_command_line(const Fault& fault, const std::vector<std::string>& words) {
  const bool is_of_file = fault.where.line != 0 && fault.where.file.compare(0, 1, "'") != 0;
  const std::optional<Culprit> found = is_of_file ? std::nullopt : culprit(fault, words);
  if (!found) return "";
  const bool has_option = found->word > 0 && words[found->word - 1].compare(0, 2, "--") == 0;
  const std::string before = has_option ? words[found->word - 1] + " " : "";
  return with_caret(before + words[found->word], before.size() + found->at + 1);
}

}  // namespace

std::string fault_text(const InputError& error, bool with_source,
                       const std::vector<std::string>& words) {
  if (!with_source) return std::string(error.what()) + "\n";
  SourceLines source;
  std::string text;
  for (const Fault& fault : error.faults()) {
    text += fault.line() + "\n" + with_caret(source.at(fault.where), fault.where.column);
    text += on_command_line(fault, words);
  }
  return error.untold() == 0 ? text : text + error.untold_line() + "\n";
}

}  // namespace shflsim::report
