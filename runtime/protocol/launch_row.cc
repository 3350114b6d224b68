// SPDX-License-Identifier: Apache-2.0
#include "runtime/protocol/launch_row.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace shflsim::runtime {
namespace {

using nlohmann::json;

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

std::string LaunchRow::text() const {
  json line = {{"kernel", kernel},
               {"machine", machine},
               {"grid", grid},
               {"block", block},
               {"cycles", nullptr},
               {"shared_bytes", shared_bytes},
               {"clock_mhz", clock_mhz},
               {"warp_instructions", warp_instructions},
               {"launch_file", launch_file},
               {"remark", remark}};
  if (cycles) line["cycles"] = *cycles;
  return line.dump();
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
