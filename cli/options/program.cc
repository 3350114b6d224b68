// SPDX-License-Identifier: Apache-2.0
#include "cli/options/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <stdexcept>
#include <systemc>

#include "cli/options/command.h"
#include "cli/options/dispatch.h"
#include "cli/options/response_file.h"
#include "cli/options/result_format.h"
#include "cli/options/signals.h"
#include "isa/base/input_error.h"
#include "isa/base/out_file.h"
#include "isa/base/standard_output.h"
#include "model/run.h"
#include "report/run/fault_json.h"
#include "report/terminal/fault_text.h"
#include "report/terminal/messages.h"

namespace shflsim::cli {

namespace {

/// Runs a command whose output and files appear together at its end, or not at all.
int run_whole(const std::vector<std::string>& arguments) {
  isa::StandardOutput output;
  isa::OutFiles files;
  const int status = dispatch(arguments);
  bool is_read = true;
  try {
    output.release();
  } catch (const isa::ClosedPipe&) {
    is_read = false;
  }
  for (const isa::OutFiles::Published& file : files.publish())
    report::detail(fmt::format("wrote {}, {} bytes", file.path, file.size));
  if (!is_read) throw isa::ClosedPipe();
  return status;
}

/// Reports why a command failed: as lines, or as JSON instead of its result.
class ErrorReport {
 public:
  explicit ErrorReport(const std::vector<std::string>& arguments) : arguments_(arguments) {}
  void write_as_json() { held_.emplace(); }
  /// There was no error: releases the messages of the command.
  void withdraw() { held_.reset(); }

  int write(const InputError& error) {
    std::cerr << (held_ ? report::fault_json(error, held_->take())
                        : report::fault_text(error, isatty(STDERR_FILENO) == 1, arguments_));
    return kBadInput;
  }
  int write(const model::Deadlock& error) {
    std::cerr << (held_ ? report::fault_json(error.what(), held_->take()) : error.what());
    return kDeadlock;
  }

 private:
  const std::vector<std::string>& arguments_;
  std::optional<report::HeldRemarks> held_;
};

int run_given(const std::vector<std::string>& given, ErrorReport* errors) {
  if (asks_for_json(given)) errors->write_as_json();
  const std::vector<std::string> arguments = with_response_files(given);
  if (asks_for_json(arguments)) errors->write_as_json();
  const int status = run_whole(arguments);
  errors->withdraw();
  if (status > kSignal) end_by(status - kSignal);
  return status;
}

int guarded(const std::vector<std::string>& arguments) {
  ErrorReport errors(arguments);
  try {
    return run_given(arguments, &errors);
  } catch (const InputError& error) {
    return errors.write(error);
  } catch (const model::Interrupted& stop) {
    errors.withdraw();
    std::cerr << stop.what() << "\n";
    end_by(stop.signal);
  } catch (const model::Deadlock& error) {
    return errors.write(error);
  } catch (const isa::ClosedPipe&) {
    end_by(SIGPIPE);
  } catch (const std::bad_alloc&) {
    return errors.write(
        InputError("out of memory; expected a smaller input or launch, or a larger limit"));
  } catch (const std::filesystem::filesystem_error& error) {
    return errors.write(InputError({error.path1().string()}, error.code().message()));
  } catch (const std::runtime_error& error) {  // a refusal of the operating system
    return errors.write(InputError(error.what()));
  } catch (const std::exception& error) {
    return errors.write(InputError(std::string("internal error: ") + error.what()));
  }
}

/// Opens closed standard streams, so that no file that is opened later takes their place.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // accesses fail as before
  }
}

}  // namespace

int run_program(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  return guarded({argv + 1, argv + argc});
}

int start_program(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  keep_standard_streams();
  catch_signals();
  std::signal(SIGPIPE, SIG_IGN);  // the failed write reports the error
  std::signal(SIGXFSZ, SIG_IGN);  // the failed write reports the error
  return sc_core::sc_elab_and_sim(argc, argv);
}

}  // namespace shflsim::cli
