// SPDX-License-Identifier: Apache-2.0
// Chains of matrix products in Accel-Sim's traces take the time of their shape and chip.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace shflsim::cli {
namespace traced_products_test {

std::string trace_of(const char* version, const char* operation, unsigned products) {
  std::string text =
      "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
      "-nregs = 64\n-binary version = " +
      std::string(version) +
      "\n-accelsim tracer version = 5\n#traces format\n#BEGIN_TB\n"
      "thread block = 0,0,0\nwarp = 0\ninsts = " +
      std::to_string(products + 1) + "\n";
  char line[96];
  for (unsigned i = 0; i < products; ++i) {
    std::snprintf(line, sizeof line, "%04x ffffffff 1 R24 %s 3 R4 R8 R24 0 0 \n", 16 * i,
                  operation);
    text += line;
  }
  return text + "0800 ffffffff 0 EXIT 0 0 0 \n#END_TB\n";
}

uint64_t cycles_of(const std::string& trace) {
  const ProgramRun run =
      run_script("cat > k.traceg <<END\n" + trace + "END\n$S run k.traceg --format json\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  return nlohmann::json::parse(run.output)["totals"]["cycles"];
}

struct Product {
  const char* name;
  const char* version;
  const char* operation;
  unsigned latency;  ///< cycles: docs/sources.md, least distances in ptxas' code
};

class TracedProduct : public testing::TestWithParam<Product> {};

TEST_P(TracedProduct, TakesTheTimeOfItsShapeInAChain) {
  const auto& [name, version, operation, latency] = GetParam();
  const uint64_t shorter = cycles_of(trace_of(version, operation, 12));
  EXPECT_EQ(cycles_of(trace_of(version, operation, 24)) - shorter, 12u * latency);
}

INSTANTIATE_TEST_SUITE_P(Chains, TracedProduct,
                         testing::Values(Product{"Turing", "75", "HMMA.1688.F32", 14},
                                         Product{"Narrow", "80", "HMMA.1688.F32", 16},
                                         Product{"Wide", "90", "HMMA.16816.F32", 24},
                                         Product{"Integers", "80", "IMMA.8816.S8.S8", 14},
                                         Product{"Datacentre", "100", "IMMA.16832.S8.S8", 20},
                                         Product{"Blackwell", "120", "HMMA.16816.F32", 29}),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace traced_products_test
}  // namespace shflsim::cli
