// SPDX-License-Identifier: Apache-2.0
#include "runtime/protocol/exec_options.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace shflsim::runtime {

using nlohmann::json;

std::string ExecOptions::text() const {
  json machine_files = json::object();
  for (const auto& [number, file] : machines) machine_files[std::to_string(number)] = file;
  const json all = {{"machines", machine_files}, {"config", config}, {"arch", arch},
                    {"settings", settings},      {"sms", sms},       {"has_timing", has_timing},
                    {"step_limit", step_limit},  {"rows", rows},     {"record", record}};
  return all.dump();
}

namespace {

/// Throws json::exception for text that text() does not write.
ExecOptions options_of(const json& all) {
  ExecOptions options;
  for (const auto& [number, file] : all.at("machines").items())
    options.machines[static_cast<unsigned>(std::stoul(number))] = file.get<std::string>();
  all.at("config").get_to(options.config);
  all.at("arch").get_to(options.arch);
  all.at("settings").get_to(options.settings);
  all.at("sms").get_to(options.sms);
  all.at("has_timing").get_to(options.has_timing);
  all.at("step_limit").get_to(options.step_limit);
  all.at("rows").get_to(options.rows);
  all.at("record").get_to(options.record);
  return options;
}

}  // namespace

std::optional<ExecOptions> ExecOptions::of_environment() {
  const char* const text = std::getenv(kVariable);
  if (text == nullptr) return std::nullopt;
  try {
    return options_of(json::parse(text));
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace shflsim::runtime
