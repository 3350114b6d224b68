// SPDX-License-Identifier: Apache-2.0
#include "cli/code_options.h"

#include "cli/input.h"
#include "cli/shown_work.h"
#include "isa/assembler/schedule.h"
#include "isa/assembler/write_text.h"
#include "isa/input_error.h"
#include "isa/reader/source.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

const isa::Writer& writer_named(const std::string& name) {
  std::vector<std::string> known;
  for (const isa::Writer& writer : isa::writers()) {
    if (name == writer.name) return writer;
    known.emplace_back(writer.name);
  }
  throw InputError("--dialect '" + name + "'" + suggestion(name, known));
}

bool chooses_control(const po::variables_map& values) {
  const std::string control = values["control"].as<std::string>();
  if (control != "given" && control != "chosen") {
    throw InputError("--control '" + control + "'" + suggestion(control, {"given", "chosen"}));
  }
  return control == "chosen";
}

std::string dialect_names() {
  std::string names;
  for (const isa::Writer& writer : isa::writers()) {
    names += (names.empty() ? "" : ", ") + std::string(writer.name);
  }
  return names;
}

}  // namespace

void add_code_options(po::options_description& options, const std::string& dialect) {
  const std::string dialects = "how to print it: " + dialect_names();
  options.add_options()("file", po::value<std::string>()->value_name("FILE")->required(),
                        "code in any format that `run` reads");
  add_code_choices(options);
  options.add_options()("kernel", po::value<std::string>()->value_name("NAME"),
                        "one kernel of the file (default: all of them)")(
      "dialect", po::value<std::string>()->value_name("NAME")->default_value(dialect),
      dialects.c_str())(
      "control", po::value<std::string>()->value_name("HOW")->default_value("given"),
      "stalls and barriers: given by the text where it has them, or chosen by the tool");
}

namespace {

void check_writer(const isa::Writer& writer, const isa::Program& program, const Input& input) {
  if (isa::family_of(program.arch) == isa::Family::kMaxwell || writer.has_long_words) return;
  throw InputError({input.path()}, "is code of " + isa::name_of(program.arch) + ", and " +
                                       writer.name +
                                       " text has room for SPA 5.0; expected another --dialect");
}

void check_one_arch(const isa::Program& a, const isa::Program& b, const Input& input) {
  if (a.arch == b.arch) return;
  throw InputError({input.path()}, "holds code of " + isa::name_of(a.arch) + " and " +
                                       isa::name_of(b.arch) + "; choose one with --arch");
}

std::vector<std::string> chosen_kernels(const Input& input) {
  if (!input.kernel().empty()) return {input.kernel()};
  std::vector<std::string> kernels = input.source("asm and disasm").kernels();
  if (kernels.empty()) throw InputError({input.path()}, "holds no kernel; expected one at least");
  return kernels;
}

/// With the control that is asked for.
isa::Program controlled(isa::Program program, bool chosen, const Input& input) {
  const bool is_maxwell = isa::family_of(program.arch) == isa::Family::kMaxwell;
  if (!is_maxwell && chosen)
    throw InputError({input.path()}, "is code of " + isa::name_of(program.arch) +
                                         "; expected SPA 5.0 with --control chosen");
  if (!is_maxwell) return program;
  if (chosen || !program.has_control) isa::choose_control(&program);
  isa::pad_bundles(&program);
  return program;
}

/// Leaves its line information where `--line-info` asks for it.
void choose_lines(const po::variables_map& values, const isa::Writer& writer, const Input& input,
                  isa::Program* program) {
  if (values.count("line-info") == 0) {
    program->source_lines.clear();
    return;
  }
  if (writer.name != std::string("nvdisasm"))
    throw InputError(std::string("--line-info with --dialect ") + writer.name +
                     "; expected nvdisasm");
  if (program->source_lines.empty())
    throw InputError({input.path()}, "kernel '" + program->name +
                                         "' has no line information; expected a cubin of nvcc "
                                         "-lineinfo");
}

}  // namespace

std::string lines_after(const std::string& pass, const po::variables_map& values) {
  const Input input(values["file"].as<std::string>(), values);
  std::string text;
  for (const std::string& name : chosen_kernels(input)) {
    const std::optional<std::string> lines = input.source("asm").lines_after(pass, name);
    if (!lines) throw InputError({input.path()}, "is no PTX; expected PTX with --dump-after");
    text += *lines;
  }
  return text;
}

std::string printed_code(const po::variables_map& values) {
  const ShownWork shown;
  const Input input(values["file"].as<std::string>(), values);
  const isa::Writer& writer = writer_named(values["dialect"].as<std::string>());
  const bool chosen = chooses_control(values);
  const isa::Source& source = input.source("asm and disasm");
  const std::vector<std::string> names = chosen_kernels(input);
  if (names.size() > 1 && !writer.several_kernels) {
    throw InputError({input.path()}, "holds " + std::to_string(names.size()) + " kernels, and " +
                                         writer.name +
                                         " text has room for one; choose it with --kernel");
  }
  std::vector<isa::Program> programs;
  for (const std::string& name : names) {
    programs.push_back(controlled(isa::find_kernel(source, name, input.path()), chosen, input));
    choose_lines(values, writer, input, &programs.back());
    check_writer(writer, programs.back(), input);
    check_one_arch(programs.front(), programs.back(), input);
  }
  return writer.write(programs);
}

}  // namespace shflsim::cli
