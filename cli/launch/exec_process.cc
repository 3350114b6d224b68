// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/exec_process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "cli/options/command.h"
#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "isa/dialects/elf_file.h"
#include "isa/dialects/source.h"
#include "model/config/config.h"
#include "model/core/interruption.h"

namespace shflsim::cli {
namespace {

namespace fs = std::filesystem;

/// The folder of the runtime library: in the build tree if it is there, else where it is installed.
std::string library_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& folder : {program / "cudart", program / "../lib/shflsim"}) {
    if (fs::exists(folder / "libcudart.so.13", error)) return folder.lexically_normal().string();
  }
  throw InputError("no libcudart.so.13 of shflsim beside " + program.string() +
                   "; expected it as it was built or installed");
}

/// The path of the program as a shell finds it; "" if there is none.
std::string path_of(const std::string& program) {
  std::error_code error;
  if (program.find('/') != std::string::npos) return fs::exists(program, error) ? program : "";
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = folder + "/" + program;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

bool names(std::string_view text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

constexpr const char* kDriver = "libcuda.so.1";

/// True if the program needs the library to start.
bool is_linked_with(const std::string& program, const std::string& library) {
  constexpr uint64_t kNeeded = 1;  // DT_NEEDED, of the ELF specification
  const isa::ElfFile file(isa::read_source_text(program));
  isa::FileBytes entries, strings;
  for (const isa::ElfSection& section : file.sections()) {
    if (section.name == ".dynamic") entries = section.bytes;
    if (section.name == ".dynstr") strings = section.bytes;
  }
  const std::string_view names(reinterpret_cast<const char*>(strings.data()), strings.size());
  uint64_t entry[2];
  for (size_t at = 0; at + sizeof entry <= entries.size(); at += sizeof entry) {
    std::memcpy(entry, entries.data() + at, sizeof entry);
    const bool is_name = entry[0] == kNeeded && entry[1] < names.size();
    if (is_name &&
        names.compare(entry[1], library.size() + 1, library.c_str(), library.size() + 1) == 0)
      return true;
  }
  return false;
}

std::vector<std::string> environment(const runtime::ExecOptions& options) {
  const std::string folders = "LD_LIBRARY_PATH=";
  const std::string own = std::string(runtime::ExecOptions::kVariable) + "=";
  std::vector<std::string> all = {own + options.text()};
  std::string path = folders + library_folder();
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string variable = *each;
    if (variable.compare(0, own.size(), own) == 0) continue;
    if (variable.compare(0, folders.size(), folders) == 0) {
      path += ":" + variable.substr(folders.size());
    } else {
      all.push_back(variable);
    }
  }
  all.push_back(path);
  all.push_back("SHFLSIM_CONFIGS=" + model::config_folder());  // else searched beside the program
  all.emplace_back("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1");
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

void check_cuda_program(const std::string& program) {
  const std::string path = path_of(program);
  if (path.empty()) throw InputError({program}, "cannot be found; expected a program");
  if (access(path.c_str(), X_OK) != 0)
    throw InputError({program}, "cannot be executed; expected a program");
  std::error_code error;
  if (fs::file_size(path, error) > kMostSourceBytes || error) return;
  const isa::SharedText text = isa::read_source_text(path).text;
  const bool is_elf = text.compare(0, 4, "\177ELF") == 0;
  if (is_elf && names(text, "nv_fatbin") && !names(text, "libcudart.so.1"))
    throw InputError({program},
                     "has the CUDA runtime in itself, or needs one before 12; expected a program "
                     "that was built with `nvcc -cudart shared` of CUDA 12 or 13");
  if (is_elf && names(text, kDriver) && is_linked_with(path, kDriver))
    throw InputError({program},
                     "calls the CUDA driver, libcuda.so.1; expected a program that calls the CUDA "
                     "runtime alone");
}

int run_cuda_program(const std::vector<std::string>& words, const runtime::ExecOptions& options) {
  std::vector<std::string> arguments = words;
  std::vector<std::string> variables = environment(options);
  const model::Heeding heeding;  // signals are for the program
  pid_t child = 0;
  const std::string path = path_of(words.front());
  const int error = posix_spawn(&child, path.c_str(), nullptr, nullptr, pointers(arguments).data(),
                                pointers(variables).data());
  if (error != 0) throw InputError({words.front()}, std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? kSignal + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace shflsim::cli
