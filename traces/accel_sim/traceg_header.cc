// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/traceg_header.h"

#include <algorithm>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"

namespace shflsim::traces {
namespace {

constexpr uint64_t kMostGrid = 0x7FFFFFFF;
constexpr uint64_t kMostVersion = 1000;
constexpr int kFirstOfVolta = 70;

const std::vector<std::string>& header_keys() {
  static const std::vector<std::string> keys = {
      "kernel name",         "kernel id",      "grid dim",
      "block dim",           "shmem",          "nregs",
      "binary version",      "cuda stream id", "shmem base_addr",
      "local mem base_addr", "nvbit version",  "accelsim tracer version",
      "enable lineinfo"};
  return keys;
}

/// The text without blanks at its ends.
std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// "(x,y,z)" as words; each keeps its column.
std::string without_brackets(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '(' || c == ',' || c == ')'; }, ' ');
  return text;
}

}  // namespace

TracegHeader::TracegHeader(TextLines* lines) : path_(lines->path()) {
  std::string_view line;
  while (lines->next(&line)) {
    if (trimmed(line).empty()) continue;
    if (line[0] == '#') break;
    add(line, lines->number());
  }
  for (const char* key : {"kernel name", "grid dim", "block dim", "accelsim tracer version"}) {
    if (lines_.count(key) == 0)
      throw InputError({path_, lines->number()}, std::string("the header has no '-") + key +
                                                     " = '; expected it above the traces");
  }
  read_version();
  form_.has_source_lines =
      lines_.count("enable lineinfo") != 0 &&
      words("enable lineinfo").number_upto(1, "0 or 1 for -enable lineinfo") == 1;
  grid_ = extent("grid dim", kMostGrid, "2147483647 blocks");
  block_ = extent("block dim", kMostThreads, "1024 threads");
}

void TracegHeader::add(std::string_view line, unsigned number) {
  const size_t equals = line.find('=');
  if (line[0] != '-' || equals == std::string_view::npos)
    throw InputError({path_, number, 1}, "'" + std::string(line.substr(0, 40)) +
                                             "' is no header line; expected -KEY = VALUE");
  const std::string key(trimmed(line.substr(1, equals - 1)));
  const auto& keys = header_keys();
  if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
    const std::string similar = suggestion(key, keys);
    if (similar.find("did you mean") != std::string::npos)
      throw InputError({path_, number, 2}, "unknown header line '" + key + "'" + similar);
    warnings_.push_back("warning: line " + std::to_string(number) + ": unknown header line '" +
                        key + "', left out");
    return;
  }
  const std::string_view value = trimmed(line.substr(equals + 1));
  const size_t column = value.empty() ? line.size() : static_cast<size_t>(&value[0] - &line[0]);
  lines_[key] = {std::string(value), number, static_cast<unsigned>(column + 1)};
}

Words TracegHeader::words(const std::string& key) const {
  const Line& line = lines_.at(key);
  return {line.value, {path_, line.number, line.column}};
}

void TracegHeader::fail(const std::string& key, const std::string& what) const {
  const Line& line = lines_.at(key);
  throw InputError({path_, line.number, line.column}, what);
}

void TracegHeader::read_version() {
  const std::string key = "accelsim tracer version";
  const uint64_t version = words(key).number_upto(kMostVersion, "a tracer version of 1 to 6");
  if (version < 1 || version > kVersionWithValues)
    fail(key, "tracer version " + std::to_string(version) + "; expected 1 to 6");
  form_.has_values = version == kVersionWithValues;
  if (version >= kVersionWithoutPlaces) return;
  form_.places = 4;
  lines_.at(key).value = std::to_string(kVersionWithoutPlaces);  // as which it is written again
}

isa::Extent TracegHeader::extent(const std::string& key, uint64_t most_count,
                                 const char* what) const {
  const Line& line = lines_.at(key);
  const std::string text = without_brackets(line.value);
  Words numbers(text, {path_, line.number, line.column});
  isa::Extent extent;
  uint64_t count = 1;
  for (uint32_t* part : {&extent.x, &extent.y, &extent.z}) {
    *part = static_cast<uint32_t>(numbers.number_upto(kMostGrid, "three numbers"));
    if (*part == 0) fail(key, "-" + key + " has a 0; expected 1 or more in each direction");
    if (*part > most_count / count) fail(key, "-" + key + " is too large; expected up to " + what);
    count *= *part;
  }
  if (!numbers.at_end()) fail(key, "-" + key + " has more than three numbers; expected (x,y,z)");
  return extent;
}

std::map<std::string, std::string> TracegHeader::values() const {
  std::map<std::string, std::string> values;
  for (const auto& [key, line] : lines_) values[key] = line.value;
  return values;
}

bool TracegHeader::is_before_volta() const {
  const auto found = lines_.find("binary version");
  if (found == lines_.end()) return false;
  const std::string& text = found->second.value;
  int version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  return version > 0 && version < kFirstOfVolta;
}

uint64_t TracegHeader::limit(const std::string& key, uint64_t most, const std::string& what,
                             std::vector<std::string>* warnings) const {
  const auto found = lines_.find(key);
  if (found == lines_.end()) return 0;
  const Line& line = found->second;
  uint64_t value = 0;
  const char* const last = line.value.data() + line.value.size();
  const auto [end, error] = std::from_chars(line.value.data(), last, value);
  if (error == std::errc() && end == last && value <= most) return value;
  warnings->push_back("warning: -" + key + " = " + line.value + ": expected 0 to " +
                      std::to_string(most) + " " + what + "; the limit is left out");
  return 0;
}

}  // namespace shflsim::traces
