// SPDX-License-Identifier: Apache-2.0
#include "cli/trace_input.h"

#include <fstream>

#include "cli/command.h"
#include "cli/launch_options.h"
#include "cli/region_run.h"
#include "isa/input_error.h"
#include "traces/shft/reader.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

std::string beginning_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(traces::kMagicBytes, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

}  // namespace

bool is_trace_file(const std::string& path) { return traces::looks_like_shft(beginning_of(path)); }

traces::Trace open_trace(const std::string& path, traces::LaunchShape* shape) {
  return traces::open_shft(path, shape);
}

void refuse_launch_options(const std::string& path, const po::variables_map& values) {
  po::options_description launch;
  LaunchOptions::add_to(launch);
  for (const auto& option : launch.options()) {
    const std::string& name = option->long_name();
    if (values.count(name) == 0) continue;
    throw InputError("--" + name + " with the trace " + path +
                     ", which holds a launch that was executed; expected it where the trace is "
                     "recorded");
  }
}

model::ConfigLayers trace_config(const traces::Trace& trace, const po::variables_map& values) {
  return trace.volta.empty() ? config_layers(values) : region_config(values);
}

}  // namespace shflsim::cli
