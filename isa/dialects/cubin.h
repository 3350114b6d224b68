// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "isa/dialects/source.h"

namespace shflsim::isa {

/// The kernels of a cubin, possibly none, as in what nvcc links into a program. Throws InputError
/// for a file that is no complete cubin, and for another architecture than `source` asks for.
std::unique_ptr<Source> read_cubin(const SourceText& source);

}  // namespace shflsim::isa
