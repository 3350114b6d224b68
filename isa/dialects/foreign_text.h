// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/base/input_error.h"
#include "isa/codec/arch.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {

/// Throws the error. If its first faults show that the text is not code of `arch`, throws only the
/// first fault, with the language that the text may be in.
[[noreturn]] void throw_guess(const InputError& error, const SourceText& source, Arch arch);

/// Reads a text as code of an architecture; on error, the fault says what else the text may be.
template <class Read>
auto guessing(const SourceText& source, Arch arch, Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const InputError& error) {
    throw_guess(error, source, arch);
  }
}

/// The advice for listings without words: texts have no control bits and no hidden fields.
constexpr const char* kExpectedWords = "expected one with words (cuobjdump -sass, nvdisasm -hex)";

}  // namespace shflsim::isa
