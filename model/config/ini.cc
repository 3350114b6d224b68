// SPDX-License-Identifier: Apache-2.0
#include "model/config/ini.h"

#include <boost/program_options.hpp>
#include <sstream>
#include <utility>

#include "isa/base/readable.h"
#include "isa/base/text_cursor.h"

namespace shflsim::model {
namespace {

namespace po = boost::program_options;

/// Passes one line at a time to Boost's INI parser, so that an error knows its line.
class IniReader {
 public:
  IniReader(std::string path, const std::function<void(Assignment)>& take)
      : path_(std::move(path)), take_(take) {}

  void read_line(const std::string& line) {
    ++line_;
    const size_t comment = comment_of(line);
    const std::string text(isa::trimmed(line.substr(0, comment)));
    if (text.empty()) return;
    if (text.front() == '[') return read_section(text, line.find('['));
    if (!knows_section_) return;
    const size_t column = line.find_first_not_of(" \t");
    const size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw InputError(here(column), "'" + text + "' has no '='; expected key = value");
    const std::string key(isa::trimmed(text.substr(0, equals)));
    const std::string value = parsed_value(text, key, column);
    const std::string source(comment == std::string::npos
                                 ? ""
                                 : isa::trimmed(std::string_view(line).substr(comment + 1)));
    const size_t value_at = line.find_first_not_of(" \t", line.find('=') + 1);
    take_({section_.empty() ? key : section_ + "." + key, value, source, path_, line_,
           static_cast<unsigned>(value_at + 1), static_cast<unsigned>(column + 1)});
  }

 private:
  Position here(size_t column) const { return {path_, line_, static_cast<unsigned>(column + 1)}; }

  void read_section(const std::string& text, size_t column) {
    knows_section_ = text.back() == ']' && text.size() >= 3;
    if (!knows_section_) throw InputError(here(column), "section without its ']'; expected [name]");
    section_ = text.substr(1, text.size() - 2);
  }

  std::string parsed_value(const std::string& text, const std::string& key, size_t column) const {
    po::options_description any;
    std::istringstream one(text);
    try {
      const auto parsed = po::parse_config_file<char>(one, any, true);
      std::string value(
          parsed.options.empty() ? "" : isa::trimmed(parsed.options.front().value.front()));
      if (!value.empty()) return value;
    } catch (const po::error&) {
      // falls through to the one error below
    }
    throw InputError(here(column), "'" + key + "' has no value; expected key = value");
  }

  const std::string path_;
  const std::function<void(Assignment)>& take_;
  std::string section_;
  bool knows_section_ = true;
  unsigned line_ = 0;
};

}  // namespace

size_t comment_of(std::string_view line) {
  for (size_t at = 0; at < line.size(); ++at) {
    const bool begins_word = at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t';
    if (line[at] == '#' || (line[at] == ';' && begins_word)) return at;
  }
  return std::string::npos;
}

void read_ini(const std::string& path, const std::string& expected, Faults& faults,
              const std::function<void(Assignment)>& take) {
  std::istringstream file(isa::read_bytes(path, expected));
  IniReader reader(path, take);
  for (std::string line; std::getline(file, line);) faults.hold([&] { reader.read_line(line); });
}

}  // namespace shflsim::model
