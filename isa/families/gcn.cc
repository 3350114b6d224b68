// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd.h"

namespace shflsim::isa {
namespace {

constexpr AmdMachine kGcn;

const bool gcn_registered = add_amd<kGcn>("gcn", "AMD GCN 5: gfx900 to gfx906", {64});

}  // namespace
}  // namespace shflsim::isa
