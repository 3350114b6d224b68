// SPDX-License-Identifier: Apache-2.0
#include "isa/codec/unmodelled.h"

#include <algorithm>
#include <iterator>

namespace shflsim::isa {
namespace {

constexpr unsigned kOpcode = 0x1FF;  ///< the bits that say what is done

struct Refused {
  unsigned opcode;
  unsigned first;  ///< numbers of architectures
  unsigned last;
  const char* what;
};

// What ptxas 13.0 makes of the PTX instruction named, for sm_100a, 103a, 110a, 120a and 121a.
constexpr Refused kRefused[] = {
    {0x1EA, 100, 100, "tcgen05.mma, a product into the tensor cores' own memory"},
    {0x1EE, 100, 100, "tcgen05.ld, a load from the tensor cores' own memory"},
    {0x1ED, 100, 100, "tcgen05.st, a store to the tensor cores' own memory"},
    {0x1E7, 100, 100, "tcgen05.cp, a copy to the tensor cores' own memory"},
    {0x1E6, 100, 100, "tcgen05.shift, a shift of the tensor cores' own memory"},
    {0x1E9, 100, 100, "tcgen05.commit, which tells a barrier of products"},
    {0x1E3, 100, 100, "tcgen05.alloc or dealloc of the tensor cores' own memory"},
    {0x1CA, 100, 120, "clusterlaunchcontrol.try_cancel, which takes over the work of a cluster"},
    {0x1CB, 100, 120, "st.bulk, a store of many bytes to shared memory"},
    {0x07A, 100, 120, "mma with block_scale of kind mxf8f6f4, a product of scaled blocks"},
    {0x07F, 100, 120, "mma with block_scale of kind mxf4 or mxf4nvf4, a product of scaled blocks"},
};

}  // namespace

std::string unmodelled(Arch arch, unsigned opcode) {
  const unsigned number = number_of(arch);
  const auto found = std::find_if(std::begin(kRefused), std::end(kRefused), [=](const Refused& f) {
    return f.opcode == (opcode & kOpcode) && f.first <= number && number <= f.last;
  });
  return found == std::end(kRefused) ? "" : found->what;
}

}  // namespace shflsim::isa
