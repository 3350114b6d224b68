// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/word_table.h"

#include <cctype>
#include <cstdlib>
#include <sstream>

#include "isa/base/faults.h"
#include "isa/base/text_cursor.h"

namespace shflsim::isa {
namespace {

constexpr size_t kColumns = 5;
constexpr size_t kWordDigits = 16;

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  size_t begin = 0;
  while (columns.size() + 1 < kColumns) {
    const size_t tab = line.find('\t', begin);
    if (tab == std::string::npos) break;
    columns.push_back(line.substr(begin, tab - begin));
    begin = tab + 1;
  }
  columns.push_back(line.substr(begin));
  return columns;
}

bool is_number(const std::string& text, const char* digits) {
  return !text.empty() && text.size() <= kWordDigits &&
         text.find_first_not_of(digits) == std::string::npos;
}

bool is_hexadecimal(const std::string& text) { return is_number(text, "0123456789abcdefABCDEF"); }

/// The first invalid column of a line, from 0; none if all are valid.
std::optional<size_t> wrong_column(const std::vector<std::string>& columns) {
  if (!is_number(columns[0], "0123456789")) return 0;
  for (size_t i = 1; i < columns.size() && i < kColumns - 1; ++i) {
    const bool is_word = i >= 2;
    if (!is_hexadecimal(columns[i]) || (is_word && columns[i].size() != kWordDigits)) return i;
  }
  if (columns.size() < kColumns) return columns.size() - 1;
  return std::nullopt;
}

uint64_t hexadecimal(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 16); }

ListedWord word_of(const std::string& line, unsigned number, const std::string& file) {
  static const char* const expected[] = {
      "how often the word occurs, in decimal digits", "an address in hexadecimal digits",
      "the lower half of the word, 16 hexadecimal digits",
      "the upper half of the word, 16 hexadecimal digits", "a text"};
  const std::vector<std::string> columns = columns_of(line);
  if (const std::optional<size_t> wrong = wrong_column(columns)) {
    size_t column = 1;
    for (size_t i = 0; i < *wrong; ++i) column += columns[i].size() + 1;
    throw InputError({file, number, static_cast<unsigned>(column)},
                     "column " + std::to_string(*wrong + 1) + " of a table of words is '" +
                         columns[*wrong] + "'; expected " + expected[*wrong]);
  }
  return {"words", number, static_cast<uint32_t>(hexadecimal(columns[1])), columns[4],
          Word(hexadecimal(columns[2]), hexadecimal(columns[3]))};
}

}  // namespace

bool is_word_table(const SourceText& source) {
  const std::string first(source.text.substr(0, source.text.find('\n')));
  const std::vector<std::string> columns = columns_of(first);
  return columns.size() == kColumns && !wrong_column(columns);
}

std::vector<ListedWord> table_words(const SourceText& source) {
  std::vector<ListedWord> words;
  std::istringstream lines{std::string(source.text)};
  Faults faults;
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!trimmed(line).empty())
      faults.hold([&] { words.push_back(word_of(line, number, source.file)); });
  }
  faults.raise();
  return words;
}

Arch table_arch(const SourceText& source, std::optional<Arch> given) {
  if (given) return *given;
  const std::string name = source.file.substr(source.file.rfind('/') + 1);
  for (size_t at = name.find("sm"); at != std::string::npos; at = name.find("sm", at + 1)) {
    const unsigned number = static_cast<unsigned>(std::atoi(name.c_str() + at + 2));
    const std::optional<Arch> arch = arch_numbered(number);
    if (arch && family_of(*arch) == Family::kSm70) return *arch;
  }
  throw InputError({source.file},
                   "does not say whose words it has; expected smXX in its name, or --arch");
}

}  // namespace shflsim::isa
