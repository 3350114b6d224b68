// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::isa::ptx {

/// The library's functions. Its own instructions: $fnma is c - a * b, $fchk and $setp_abs are FCHK
/// and a comparison of a magnitude, $div and $rcp of floats go through doubles.
std::string library_text();

// The parts of it.
std::string library_of_floats();
std::string library_of_doubles();
std::string library_of_integers();
std::string library_of_bits();
std::string library_of_atomics();

/// The text with every "@NAME@" replaced.
std::string filled(std::string text, const std::string& name, const std::string& by);

}  // namespace shflsim::isa::ptx
