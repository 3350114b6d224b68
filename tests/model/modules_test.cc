// SPDX-License-Identifier: Apache-2.0
#include "model/modules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <systemc>

#include "model/run.h"
#include "model/shared_memory/shared_memory.h"
#include "tests/support/layers.h"

namespace shflsim::model {
namespace modules_test {

/// "class section" of the instance; empty if there is none.
std::string at(const std::vector<ModuleInstance>& modules, const std::string& path) {
  const auto found = std::find_if(modules.begin(), modules.end(),
                                  [&](const ModuleInstance& each) { return each.path == path; });
  return found == modules.end() ? "" : found->module + " " + found->section;
}

std::string section_of(const std::string& key) { return key.substr(0, key.find('.')); }

TEST(Modules, AreTheBoxesOfTheSm) {
  const std::vector<ModuleInstance> modules = modules_of(test::layers_of("gm107"));
  EXPECT_EQ(modules.front().path, "chip");
  EXPECT_EQ(modules.size(), 15u + 4 * 11u);
  EXPECT_EQ(at(modules, "chip.sm0.shuffle"), "ShuffleUnit shuffle");
  EXPECT_EQ(at(modules, "chip.sm0.mio_arbiter"), "UnitArbiter mio");
  EXPECT_EQ(at(modules, "chip.sm0.sub_partition3.scheduler"), "WarpScheduler scheduler");
  EXPECT_EQ(at(modules, "chip.sm0.sub_partition0.dispatch.register_file"),
            "RegisterFile register_file");
  EXPECT_EQ(at(modules, "chip.sm1"), "");
}

TEST(Modules, AreThoseThatTheConfigChooses) {
  const std::vector<ModuleInstance> modules = modules_of(test::layers_of(
      "gm107", {"mio.arbitration=shared_pipe", "shuffle.shares_pipe=0", "shuffle.cluster=2"}));
  EXPECT_EQ(at(modules, "chip.sm0.mio_arbiter"), "SharedPipe mio");
  EXPECT_EQ(at(modules, "chip.sm0.shuffle_pipe1"), "InOrderPipe ");
  EXPECT_EQ(at(modules, "chip.sm0.shuffle_pipe2"), "");
}

/// Sections without a module: issue codes belong to the code, the technology to the cost of
/// networks, clusters to several modules, and energies to executed operations.
TEST(Modules, HaveEverySectionOfTheConfigButFour) {
  std::set<std::string> sections;
  for (const ConfigValue& value : effective_config(test::layers_of("gm107")))
    sections.insert(section_of(value.key));
  for (const ModuleInstance& each : modules_of(test::layers_of("gm107"))) {
    EXPECT_FALSE(each.hardware.empty()) << each.path;
    sections.erase(each.section);
  }
  EXPECT_EQ(sections, (std::set<std::string>{"cluster", "control", "energy", "technology"}));
}

TEST(Modules, MustHaveTheirPortsBound) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
  const SharedMemory memory("shared_memory", {});
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

}  // namespace modules_test
}  // namespace shflsim::model
