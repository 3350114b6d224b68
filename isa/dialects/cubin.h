// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "isa/dialects/source.h"

namespace shflsim::isa {

/// The kernels of a cubin, of which there may be none, as in what nvcc links into a program. Throws
/// InputError for what is no whole cubin, and for one of another architecture than `source` asks
/// for.
std::unique_ptr<Source> read_cubin(const SourceText& source);

}  // namespace shflsim::isa
