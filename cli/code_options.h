// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>

namespace shflsim::cli {

/// The options by which `asm` and `disasm` choose kernels, dialect and control.
void add_code_options(boost::program_options::options_description& options,
                      const std::string& dialect);

/// The chosen kernels of the file, printed in the chosen dialect: whole bundles, with the control
/// that the text gives or, where it gives none or `--control chosen` says so, the tool's own.
/// Throws InputError for anything that cannot be used.
std::string printed_code(const boost::program_options::variables_map& values);

/// The lines of the chosen kernels of a PTX file after that pass of the lowering. Throws InputError
/// for other files, and for the name of no pass.
std::string lines_after(const std::string& pass,
                        const boost::program_options::variables_map& values);

}  // namespace shflsim::cli
