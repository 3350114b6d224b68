// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <stdexcept>
#include <systemc>

#include "cli/command.h"
#include "cli/dispatch.h"
#include "cli/response_file.h"
#include "cli/signals.h"
#include "isa/files/out_file.h"
#include "isa/files/standard_output.h"
#include "isa/input_error.h"
#include "model/run.h"
#include "report/fault_text.h"
#include "report/messages.h"

namespace shflsim::cli {

namespace {

/// What a command prints and writes comes to be together, at its end, or not at all.
int run_whole(const std::vector<std::string>& arguments) {
  isa::StandardOutput output;
  isa::OutFiles files;
  const int status = dispatch(with_response_files(arguments));
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

int say(const std::string& what) {
  std::cerr << what << "\n";
  return kBadInput;
}

int guarded(const std::vector<std::string>& arguments) {
  try {
    const int status = run_whole(arguments);
    if (status > kSignal) end_by(status - kSignal);
    return status;
  } catch (const InputError& error) {
    std::cerr << report::fault_text(error, isatty(STDERR_FILENO) == 1);
    return kBadInput;
  } catch (const model::Interrupted& stop) {
    std::cerr << stop.what() << "\n";
    end_by(stop.signal);
  } catch (const model::Deadlock& error) {
    std::cerr << error.what();
    return kDeadlock;
  } catch (const isa::ClosedPipe&) {
    end_by(SIGPIPE);
  } catch (const std::bad_alloc&) {
    return say("out of memory; expected a smaller input or launch, or a larger limit");
  } catch (const std::filesystem::filesystem_error& error) {
    return say(error.path1().string() + ": " + error.code().message());
  } catch (const std::runtime_error& error) {  // an InputError, or what the system refuses
    return say(error.what());
  } catch (const std::exception& error) {
    return say(std::string("internal error: ") + error.what());
  }
}

/// A file that is opened where a standard stream is closed would be taken for it.
void keep_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // as closed as it was
  }
}

}  // namespace
}  // namespace shflsim::cli

/// Called by the SystemC library, whose banner and notices are not part of any result.
int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  return shflsim::cli::guarded({argv + 1, argv + argc});
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  shflsim::cli::keep_standard_streams();
  shflsim::cli::catch_signals();
  std::signal(SIGPIPE, SIG_IGN);  // a write says it
  return sc_core::sc_elab_and_sim(argc, argv);
}
