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

/// `--unknown-lanes`: what traces that leave something open are taken to mean.
void add_trace_options(boost::program_options::options_description& options);

/// Opens a trace: a .shft file, an Accel-Sim kernel trace or a list of such, of which `--kernel`
/// chooses one. Its steps are read while they are looked at; those of a text are first brought into
/// a .shft file in the folder for temporary files, which is gone at the end. Throws InputError
/// where it cannot be read.
traces::Trace open_trace(const std::string& path,
                         const boost::program_options::variables_map& values,
                         traces::LaunchShape* shape);

/// Throws InputError for options of LaunchOptions but `--kernel`: a launch that is over cannot be
/// changed.
void refuse_launch_options(const std::string& path,
                           const boost::program_options::variables_map& values);

/// The layers of `--config` and `--set`; without `--config` the machine that the trace is of, as
/// far as there is one: gm107 for SPA 5.0, that of the binary version for an Accel-Sim trace.
model::ConfigLayers trace_config(const traces::Trace& trace, const traces::LaunchShape& shape,
                                 const boost::program_options::variables_map& values);

}  // namespace shflsim::cli
