// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "isa/dialects/source.h"

namespace shflsim::isa {

/// Reads a cubin, which may have no kernels, as those that nvcc links into a program. Throws
/// InputError for an incomplete cubin, and if `source` asks for another architecture.
std::unique_ptr<Source> read_cubin(const SourceText& source);

}  // namespace shflsim::isa
