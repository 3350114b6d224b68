// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/code_options.h"

#include "cli/launch/shown_work.h"
#include "isa/base/input_error.h"
#include "isa/dialects/schedule.h"
#include "isa/dialects/source.h"
#include "isa/dialects/write_text.h"

namespace shflsim::cli {
namespace {

const isa::Writer& writer_named(const std::string& name) {
  std::vector<std::string> known;
  for (const isa::Writer& writer : isa::writers()) {
    if (name == writer.name) return writer;
    known.emplace_back(writer.name);
  }
  throw InputError("--dialect '" + name + "'" + suggestion(name, known));
}

std::string dialect_names() {
  std::string names;
  for (const isa::Writer& writer : isa::writers()) {
    names += (names.empty() ? "" : ", ") + std::string(writer.name);
  }
  return names;
}

}  // namespace

void PrintOptions::list(OptionList& list) {
  list.group("options", this);
  list.argument("file", &file, "FILE", "code in any format that `run` reads");
  list.text("dialect", &dialect, "NAME", "how to print it: " + dialect_names()).common();
  list.choice("control", &control, {"given", "chosen"}, "HOW",
              "stalls and barriers: given by the text where it has them, or chosen by the tool")
      .common();
  input.list_kernel(list, "one kernel of the file (default: all of them)");
  input.code.list(list);
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
  const isa::Source& source = input.source("asm and disasm");
  if (!input.kernel().empty()) return {isa::choose_kernel(source, input.kernel(), input.path())};
  std::vector<std::string> kernels = source.kernels();
  if (kernels.empty()) throw InputError({input.path()}, "holds no kernel; expected one at least");
  return kernels;
}

/// Chooses control bits if asked to, or if the program has none, and pads bundles.
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

/// Keeps the line information only if `--line-info` asks for it.
void choose_lines(bool has_lines, const isa::Writer& writer, const Input& input,
                  isa::Program* program) {
  if (!has_lines) {
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

/// The program. If one of several kernels is unusable: nothing, with the reason in `left_out`.
std::optional<isa::Program> usable_kernel(const isa::Source& source, const std::string& name,
                                          const Input& input, std::vector<InputError>* left_out) {
  if (!input.kernel().empty()) return source.program(name);
  try {
    return source.program(name);
  } catch (const InputError& error) {
    left_out->push_back(error);
    return std::nullopt;
  }
}

}  // namespace

std::string lines_after(const std::string& pass, const PrintOptions& options) {
  const Input input(options.file, options.input);
  std::string text;
  for (const std::string& name : chosen_kernels(input)) {
    const std::optional<std::string> lines = input.source("asm").lines_after(pass, name);
    if (!lines) throw InputError({input.path()}, "is no PTX; expected PTX with --dump-after");
    text += *lines;
  }
  return text;
}

PrintedCode printed_code(const PrintOptions& options) {
  const ShownWork shown;
  const Input input(options.file, options.input);
  const isa::Writer& writer = writer_named(options.dialect);
  const bool chosen = options.control == PrintOptions::Control::kChosen;
  const isa::Source& source = input.source("asm and disasm");
  const std::vector<std::string> names = chosen_kernels(input);
  if (names.size() > 1 && !writer.several_kernels) {
    throw InputError({input.path()}, "holds " + std::to_string(names.size()) + " kernels, and " +
                                         writer.name +
                                         " text has room for one; choose it with --kernel");
  }
  std::vector<isa::Program> programs;
  PrintedCode printed;
  for (const std::string& name : names) {
    std::optional<isa::Program> program = usable_kernel(source, name, input, &printed.left_out);
    if (!program) continue;
    programs.push_back(controlled(std::move(*program), chosen, input));
    choose_lines(options.line_info, writer, input, &programs.back());
    check_writer(writer, programs.back(), input);
    check_one_arch(programs.front(), programs.back(), input);
  }
  if (programs.empty()) throw InputError(printed.left_out.front());
  printed.text = writer.write(programs);
  return printed;
}

}  // namespace shflsim::cli
