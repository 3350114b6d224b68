// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/program.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "tests/support/files.h"

namespace shflsim::cli {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHFLSIM_HAS_SANITIZER
#endif
#endif
#ifdef SHFLSIM_HAS_SANITIZER
constexpr const char* kLimits = "ulimit -t 200; exec timeout -s KILL 240";
#else
constexpr const char* kLimits = "ulimit -v 1048576; ulimit -t 10; exec timeout -s KILL 60";
#endif

/// Runs a shell command whose output goes into files.
ProgramRun run_command(const std::string& command) {
  const std::string base = testing::TempDir() + "program_" + std::to_string(getpid());
  const std::string whole = "(" + command + ") </dev/null >" + base + ".out 2>" + base + ".err";
  const int status = std::system(whole.c_str());
  ProgramRun run;
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run.output = contents(base + ".out");
  run.errors = contents(base + ".err");
  std::filesystem::remove(base + ".out");
  std::filesystem::remove(base + ".err");
  return run;
}

}  // namespace

ProgramRun run_program(const std::string& arguments) {
  return run_command(std::string(SHFLSIM_PROGRAM) + " " + arguments);
}

ProgramRun run_program_within_limits(const std::string& arguments, const std::string& folder) {
  return run_command("cd " + folder + "; export TMPDIR=/nonexistent; " + kLimits + " " +
                     SHFLSIM_PROGRAM + " " + arguments);
}

bool has_sanitizer() {
#ifdef SHFLSIM_HAS_SANITIZER
  return true;
#else
  return false;
#endif
}

ProgramRun run_script(const std::string& script) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / ("script_" + std::to_string(getpid()));
  fs::create_directories(folder);
  const std::string name = folder.string() + ".sh";
  std::ofstream(name) << "export S=" SHFLSIM_PROGRAM " T=" << test::source_path("traces") << "\ncd "
                      << folder.string() << "\n"
                      << script;
  ProgramRun run = run_command("bash " + name);
  fs::remove(name);
  fs::remove_all(folder);
  return run;
}

}  // namespace shflsim::cli
