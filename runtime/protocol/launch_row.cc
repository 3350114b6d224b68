// SPDX-License-Identifier: Apache-2.0
#include "runtime/protocol/launch_row.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace shflsim::runtime {
namespace {

using nlohmann::json;

std::string quoted(const std::string& text) { return json(text).dump(); }

LaunchRow row_of(const json& line) {
  LaunchRow row;
  line.at("kernel").get_to(row.kernel);
  line.at("machine").get_to(row.machine);
  line.at("grid").get_to(row.grid);
  line.at("block").get_to(row.block);
  line.at("shared_bytes").get_to(row.shared_bytes);
  line.at("warp_instructions").get_to(row.warp_instructions);
  if (!line.at("cycles").is_null()) row.cycles = line.at("cycles").get<uint64_t>();
  line.at("clock_mhz").get_to(row.clock_mhz);
  line.at("launch_file").get_to(row.launch_file);
  line.at("remark").get_to(row.remark);
  return row;
}

}  // namespace

/// Written without a JSON object, because a program may launch thousands of kernels per second.
std::string LaunchRow::text() const {
  return fmt::format(
      "{{\"kernel\":{},\"machine\":{},\"grid\":[{}],\"block\":[{}],\"shared_bytes\":{},"
      "\"warp_instructions\":{},\"cycles\":{},\"clock_mhz\":{},\"launch_file\":{},\"remark\":{}}}",
      quoted(kernel), quoted(machine), fmt::join(grid, ","), fmt::join(block, ","), shared_bytes,
      warp_instructions, cycles ? std::to_string(*cycles) : "null", clock_mhz, quoted(launch_file),
      quoted(remark));
}

std::vector<LaunchRow> LaunchRow::read(const std::string& path) {
  std::vector<LaunchRow> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const json parsed = json::parse(line, nullptr, false);
    if (parsed.is_object()) rows.push_back(row_of(parsed));
  }
  return rows;
}

}  // namespace shflsim::runtime
