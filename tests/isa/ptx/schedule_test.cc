// SPDX-License-Identifier: Apache-2.0
// Banks in the lowered code: as in ptxas' code, no instruction reads two registers of one bank.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "isa/code/footprint.h"
#include "isa/codec/form.h"

#include "tests/isa/ptx/support.h"
#include "tests/support/files.h"

namespace shflsim::isa {
namespace ptx_schedule_test {

/// Register reads beyond the first in each instruction's fullest bank, summed over all math.
unsigned collisions(const Program& program) {
  unsigned sum = 0;
  for (const Instruction& each : program.code) {
    if (!is_math(facts(each.op).pipe)) continue;
    const Footprint own = footprint(each);
    std::array<std::set<unsigned>, 4> banks;
    for (unsigned i = 0; i < own.read_count; ++i) {
      banks[own.reads[i].index % 4u].insert(own.reads[i].index);
    }
    size_t most = 1;
    for (const auto& bank : banks) most = std::max(most, bank.size());
    sum += static_cast<unsigned>(most - 1);
  }
  return sum;
}

TEST(PtxBanks, HaveNoTwoSourcesOfOneInstructionInTheKernelsOfTheConformance) {
  const auto source = open_source(test::data_path("sm50/kernels.ptx.gz"));
  for (const std::string& name : source->kernels()) {
    EXPECT_EQ(collisions(source->program(name)), 0u) << name;
  }
}

}  // namespace ptx_schedule_test
}  // namespace shflsim::isa
