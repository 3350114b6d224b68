// SPDX-License-Identifier: Apache-2.0
#include "cli/options/version.h"

#include <fmt/format.h>

#include <shflsim_commit.h>  // made by cli/commit.cmake
#include <boost/version.hpp>
#include <nlohmann/json.hpp>
#include <systemc>

namespace shflsim::cli {
namespace {

/// 107400 -> "1.74.0", and 90100 with 10000 and 100 -> "9.1.0"
std::string dotted(int number, int major, int minor) {
  return fmt::format("{}.{}.{}", number / major, number % major / minor, number % minor);
}

std::string boost_version() { return dotted(BOOST_VERSION, 100000, 100); }
std::string fmt_version() { return dotted(FMT_VERSION, 10000, 100); }

}  // namespace

std::string version_text() {
  return fmt::format(
      "shflsim {}\n"
      "commit      {}\n"
      "build type  {}\n"
      "compiler    {}\n"
      "SystemC     {}\n"
      "Boost       {}\n"
      "fmt         {}\n"
      "SQLite      {}\n"
      "files       {}\n"
      "sanitizers  {}\n",
      SHFLSIM_VERSION, SHFLSIM_COMMIT, SHFLSIM_BUILD_TYPE, SHFLSIM_COMPILER, sc_core::sc_release(),
      boost_version(), fmt_version(), SHFLSIM_SQLITE, SHFLSIM_FILE_LIBRARIES, SHFLSIM_SANITIZERS);
}

std::string version_json() {
  const nlohmann::ordered_json json = {{"schema", "shflsim-version/1"},
                                       {"name", "shflsim"},
                                       {"version", SHFLSIM_VERSION},
                                       {"commit", SHFLSIM_COMMIT},
                                       {"build_type", SHFLSIM_BUILD_TYPE},
                                       {"compiler", SHFLSIM_COMPILER},
                                       {"systemc", sc_core::sc_release()},
                                       {"boost", boost_version()},
                                       {"fmt", fmt_version()},
                                       {"sqlite", SHFLSIM_SQLITE},
                                       {"files", SHFLSIM_FILE_LIBRARIES},
                                       {"sanitizers", SHFLSIM_SANITIZERS}};
  return json.dump(1) + "\n";
}

std::string version_word() { return SHFLSIM_VERSION " (" SHFLSIM_COMMIT ")"; }

}  // namespace shflsim::cli
