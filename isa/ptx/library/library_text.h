// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::isa::ptx {

/// The library's functions. They use special instructions: $fnma is c - a * b, $fchk is FCHK,
/// $setp_abs compares a magnitude, and $div and $rcp of floats are computed in doubles.
std::string library_text();

// The parts of library_text().
std::string library_of_floats();
std::string library_of_doubles();
std::string library_of_integers();
std::string library_of_bits();
std::string library_of_atomics();

/// The text with every "@NAME@" replaced.
std::string filled(std::string text, const std::string& name, const std::string& by);

}  // namespace shflsim::isa::ptx
