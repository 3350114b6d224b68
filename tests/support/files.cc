// SPDX-License-Identifier: Apache-2.0
#include "tests/support/files.h"

#include <zlib.h>

#include <array>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace shflsim::test {

std::string source_path(const std::string& name) {
  return std::string(SHFLSIM_SOURCE_DIR) + "/" + name;
}

std::string data_path(const std::string& name) { return source_path("tests/data/" + name); }

std::string read_file(const std::string& path) {
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (file == nullptr) throw std::runtime_error("cannot open " + path);
  std::string content;
  std::array<char, 65536> buffer{};
  int count = 0;
  while ((count = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()))) > 0) {
    content.append(buffer.data(), static_cast<size_t>(count));
  }
  if (count < 0) throw std::runtime_error("cannot read " + path);
  return content;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> fields_of(const std::string& line, char separator) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == separator) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

uint64_t number_of(const std::string& text, int base) {
  size_t used = 0;
  uint64_t number = 0;
  try {
    number = std::stoull(text, &used, base);
  } catch (const std::logic_error&) {
    used = std::string::npos;
  }
  if (used != text.size()) throw std::runtime_error("not a number: '" + text + "'");
  return number;
}

}  // namespace shflsim::test
