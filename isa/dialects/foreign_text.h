// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/base/input_error.h"
#include "isa/codec/arch.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {

/// Throws the error; or, where its first faults say that the text is in another language than
/// `arch`'s, the first of them alone with what the text may be.
[[noreturn]] void throw_guess(const InputError& error, const SourceText& source, Arch arch);

/// Reads a text as code of an architecture; its faults say what else the text may be.
template <class Read>
auto guessing(const SourceText& source, Arch arch, Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const InputError& error) {
    throw_guess(error, source, arch);
  }
}

/// What to do with a listing that has texts alone: control bits and hidden fields are not in them.
constexpr const char* kExpectedWords = "expected one with words (cuobjdump -sass, nvdisasm -hex)";

}  // namespace shflsim::isa
