// SPDX-License-Identifier: Apache-2.0
#include "report/run/source_lines.h"

#include "report/run/json_fields.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace shflsim::report {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostBytes = 1 << 20;  // largest source file that is shown

const isa::SourceLine& source_line_of(const InstructionRow& row) {
  return row.run.trace.code.lines[row.index].source;
}

Value path_of(const InstructionRow& row) {
  if (source_line_of(row).number == 0) return {};
  return row.run.trace.code.source_files[source_line_of(row).file];
}

Value place_of(const InstructionRow& row) {
  const std::string place = source_place(source_line_of(row), row.run.trace.code.source_files);
  return place.empty() ? Value() : Value(place);
}

bool looks_like_source(const fs::path& path) {
  static const std::set<std::string> suffixes = {".cu", ".cuh", ".c",   ".cc",  ".cpp", ".cxx",
                                                 ".h",  ".hpp", ".inl", ".ptx", ".py"};
  return suffixes.count(path.extension().string()) != 0;
}

/// The lines of a file; nothing if the file does not exist or is too large to show.
std::optional<Json> lines_in(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMostBytes) return {};
  std::ifstream file(path);
  if (!file) return {};
  Json lines = Json::array();
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string source_place(const isa::SourceLine& line, const std::vector<std::string>& files) {
  if (line.number == 0) return "";
  return fs::path(files[line.file]).filename().string() + ":" + std::to_string(line.number);
}

Fields<InstructionRow> source_columns() {
  return {
      {"source", "", "File and line that it was compiled from, where the code says (-lineinfo).",
       place_of, "\nsource"},
      {"source_path", "", "The same file with its folders, as the compiler was given it.", path_of},
  };
}

Json source_texts(const Run& run) {
  const isa::Code& code = run.trace.code;
  std::set<std::string> named;
  for (const isa::CodeLine& line : code.lines) {
    if (line.source.number != 0) named.insert(code.source_files[line.source.file]);
  }
  const fs::path beside = fs::path(run.origin.input).parent_path();
  Json texts = Json::object();
  for (const std::string& name : named) {
    if (!looks_like_source(name)) continue;
    std::optional<Json> lines = lines_in(name);
    if (!lines) lines = lines_in(beside / fs::path(name).filename());
    if (lines) texts[name] = std::move(*lines);
  }
  return texts;
}

}  // namespace shflsim::report
