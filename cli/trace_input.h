// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>

#include "model/config/config.h"
#include "traces/shft/program_section.h"
#include "traces/trace.h"

namespace shflsim::cli {

/// True for a file that holds a trace, not code; told by its content.
bool is_trace_file(const std::string& path);

/// Opens a trace file. Throws InputError where it cannot be read.
traces::Trace open_trace(const std::string& path, traces::LaunchShape* shape);

/// Throws InputError for options of LaunchOptions: a launch that is over cannot be changed.
void refuse_launch_options(const std::string& path,
                           const boost::program_options::variables_map& values);

/// The layers of `--config` and `--set`; without `--config` gm107, or gh100 for code of Volta or
/// later.
model::ConfigLayers trace_config(const traces::Trace& trace,
                                 const boost::program_options::variables_map& values);

}  // namespace shflsim::cli
