// SPDX-License-Identifier: Apache-2.0
#include "isa/families/amd.h"

namespace shflsim::isa {
namespace {

constexpr AmdMachine kRdna2 = rdna_machine(0xd777, 0xd778);

const bool rdna2_registered =
    add_amd<kRdna2>("rdna2", "AMD RDNA 1 and 2: gfx1010 to gfx1036", {32, 64});

}  // namespace
}  // namespace shflsim::isa
