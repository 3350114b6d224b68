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

namespace shflsim::cli {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

ProgramRun run_program(const std::string& arguments) {
  const std::string base = testing::TempDir() + "program_" + std::to_string(getpid());
  const std::string command = std::string(SHFLSIM_PROGRAM) + " " + arguments + " </dev/null >" +
                              base + ".out 2>" + base + ".err";
  const int status = std::system(command.c_str());
  ProgramRun run;
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run.output = contents(base + ".out");
  run.errors = contents(base + ".err");
  std::filesystem::remove(base + ".out");
  std::filesystem::remove(base + ".err");
  return run;
}

}  // namespace shflsim::cli
