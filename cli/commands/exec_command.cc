// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <optional>

#include "cli/launch/chips.h"
#include "cli/launch/exec_process.h"
#include "cli/launch/exec_report.h"
#include "cli/options/command.h"
#include "cli/options/machine_choice.h"
#include "cli/options/result_files.h"
#include "cli/options/signals.h"
#include "isa/base/input_error.h"
#include "model/config/config.h"
#include "report/terminal/messages.h"

namespace shflsim::cli {
namespace {

constexpr const char* kExecUsage = "shflsim exec [options] -- PROGRAM ARGS...";
constexpr unsigned kMostExecSms = 256;

struct ExecCommandOptions : OptionGroup {
  Strings program;
  MachineChoice machine;
  unsigned sms = 1;
  bool no_timing = false;
  bool launches = false;
  std::optional<std::string> record;
  uint64_t most_instructions = runtime::ExecOptions::kStepLimit;
  ResultFileOptions results;

  void list(OptionList& list);
};

void ExecCommandOptions::list(OptionList& list) {
  list.words_behind_dashes(nullptr, &program);
  machine.list(list, " (default: the chip of the program's newest code)");
  list.group("machine", this);
  list.number("sms", &sms, 1, kMostExecSms, "N", "SMs that share a launch's blocks");
  list.group("execution", this);
  list.flag("no-timing", &no_timing, "only execute the kernels, which is faster").common();
  list.number("max-instructions", &most_instructions, 1, uint64_t{1} << 62, "N",
              "limit on the warp instructions of a launch; beyond it the launch counts as endless");
  list.group("output", this);
  list.flag("launches", &launches, "also print a row for each launch").common();
  list.text("record", &record, "DIR",
            "write each launch into this folder, which must be empty: a launch file, buffers and "
            "code, which run --launch, compare and sweep read")
      .common("write each launch as a launch file into this folder");
  results.list(list, "each launch");
}

/// A file that exists while the program runs.
class RowsFile {
 public:
  RowsFile() : path_(std::filesystem::temp_directory_path() / "shflsim-exec-XXXXXX") {
    const int file = mkstemp(path_.data());
    if (file < 0) throw InputError({path_}, "cannot be made; expected room for a file there");
    close(file);
  }
  RowsFile(const RowsFile&) = delete;
  RowsFile& operator=(const RowsFile&) = delete;
  ~RowsFile() { unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The absolute path of the folder, since the program may change its working directory.
std::string recording_folder(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(folder, error) || !fs::is_empty(folder, error) || error)
    throw InputError({folder}, "is no empty folder; expected one for --record");
  if (access(folder.c_str(), W_OK) != 0)
    throw InputError({folder}, "cannot be written; expected a folder for --record");
  return fs::absolute(folder).string();
}

/// The architecture number of a shipped machine; 0 for any other machine.
unsigned arch_of(const std::string& machine) {
  for (const auto& [number, name] : chips()) {
    if (name == machine) return number;
  }
  return 0;
}

runtime::ExecOptions options_of(const ExecCommandOptions& given, const std::string& rows) {
  runtime::ExecOptions options;
  options.machines = chips();
  if (given.machine.is_made()) {
    options.config = given.machine.layers().name();
    options.arch = arch_of(options.config.substr(0, options.config.find('+')));
  }
  options.settings = given.machine.settings;
  options.sms = given.sms;
  options.has_timing = !given.no_timing;
  options.step_limit = given.most_instructions;
  options.rows = rows;
  if (given.record) options.record = recording_folder(*given.record);
  return options;
}

int exec(const ExecCommandOptions& options) {
  if (options.program.empty())
    throw InputError(std::string("no program given; expected ") + kExecUsage);
  check_cuda_program(options.program.front());
  ResultFiles files(options.results);
  const RowsFile rows_file;
  const int status = run_cuda_program(options.program, options_of(options, rows_file.path()));
  const std::vector<runtime::LaunchRow> rows = runtime::LaunchRow::read(rows_file.path());
  const report::Document document = exec_document(rows, options.program);
  files.write([&] { return report::json_of(document); }, [&] { return report::csv_of(document); });
  if (report::verbosity() != report::Verbosity::kErrors && !rows.empty())
    write_exec_table(std::cerr, rows, options.launches);
  if (rows.empty()) report::remark("the program launched no kernel");
  return status;
}

}  // namespace

const Command kExec = command(
    "exec", "run a CUDA program on the model, with its kernels timed one after another", kExecUsage,
    "  gzip -dc tests/data/exec/vector_add.gz > vector_add && chmod +x vector_add\n"
    "  shflsim exec -- ./vector_add\n"
    "  shflsim exec --no-timing --config ga100 -- ./vector_add 1000\n",
    exec);

}  // namespace shflsim::cli
