// SPDX-License-Identifier: Apache-2.0
#include "traces/trace_format.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "isa/base/readable.h"

namespace shflsim::traces {
namespace {

std::vector<TraceFormat>& table() {
  static std::vector<TraceFormat> formats;
  return formats;
}

}  // namespace

bool TraceFormats::add(const TraceFormat& format) {
  const std::string_view name = format.name;
  const auto behind = std::find_if(
      table().begin(), table().end(),
      [name](const TraceFormat& other) { return std::string_view(other.name) > name; });
  table().insert(behind, format);
  return true;
}

const std::vector<TraceFormat>& TraceFormats::all() { return table(); }

const TraceFormat* TraceFormats::of_file(const std::string& path) {
  const std::string name = isa::readable(path);
  std::error_code unknown;  // opening an inaccessible file reports it
  const std::filesystem::file_status status = std::filesystem::status(name, unknown);
  if (!std::filesystem::exists(status) || std::filesystem::is_directory(status)) return nullptr;
  const auto found = std::find_if(table().begin(), table().end(), [&path](const TraceFormat& each) {
    return each.recognises(path);
  });
  return found == table().end() ? nullptr : &*found;
}

}  // namespace shflsim::traces
