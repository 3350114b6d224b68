// SPDX-License-Identifier: Apache-2.0
// Listings of sm_5x and sm_6x code, printed by cuobjdump -sass and nvdisasm -hex. Each word is
// decoded; a text that differs from its word is an error.
#include <algorithm>

#include "isa/base/faults.h"
#include "isa/codec/codec.h"
#include "isa/dialects/listing_text.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {
namespace {

class Listing final : public Source {
 public:
  explicit Listing(const SourceText& source) : file_(source.file), listing_(read_listing(source)) {}

  /// Of several kernels with one name the first is taken, as a linker does.
  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (const ListedKernel& kernel : listing_.kernels) {
      if (std::find(names.begin(), names.end(), kernel.name) == names.end())
        names.push_back(kernel.name);
    }
    return names;
  }

  Program program(const std::string& name) const override {
    const auto& kernels = listing_.kernels;
    const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                     [&name](const ListedKernel& k) { return k.name == name; });
    if (kernel == kernels.end()) throw InputError({file_}, "no kernel '" + name + "'");
    return decoded(*kernel);
  }

 private:
  Program decoded(const ListedKernel& kernel) const {
    Program program;
    program.name = kernel.name;
    program.registers = kernel.registers;
    Braces braces(listing_);
    Faults faults;
    for (size_t i = 0; i < kernel.words.size(); ++i) {
      if (i % 4 != 0) faults.hold([&] { append(kernel, i, &braces, &program); });
    }
    faults.raise();
    if (program.registers == 0) program.registers = program.registers_used();
    add_data(listing_.data, &program);
    check_addresses(listing_.data, file_, program);
    return program;
  }

  void append(const ListedKernel& kernel, size_t i, Braces* braces, Program* program) const {
    const uint32_t address = static_cast<uint32_t>(i * 8);
    Instruction instruction;
    const std::string problem =
        decode(kernel.words[i], address, kernel.control_at(i), &instruction);
    if (!problem.empty()) throw InputError({file_, kernel.word_lines[i]}, problem);
    program->texts.push_back(text_of(instruction));
    check_text(kernel, instruction, braces->around(program->texts.back(), instruction.control));
    program->code.push_back(instruction);
  }

  void check_text(const ListedKernel& kernel, const Instruction& instruction,
                  const std::string& own) const {
    const auto listed = kernel.texts.find(instruction.address);
    if (listed == kernel.texts.end()) {
      throw InputError({file_, kernel.line}, "kernel '" + kernel.name +
                                                 "' has a word but no text at address " +
                                                 std::to_string(instruction.address));
    }
    if (without_spaces(kernel.text_at(instruction.address)) == without_spaces(own)) return;
    throw InputError(
        {file_, listed->second.line, listed->second.column},
        "text '" + listed->second.text + "' disagrees with its word; expected '" + own + "'");
  }

  std::string file_;
  ListingText listing_;
};

bool is_listing(const SourceText& source) {
  const bool has_kernel = source.text.find("Function :") != std::string::npos ||
                          source.text.find(".section") != std::string::npos;
  return has_kernel && source.text.find("/* 0x") != std::string::npos;
}

std::unique_ptr<Source> open_listing(const SourceText& source) {
  return std::make_unique<Listing>(source);
}

const bool listing_registered = Dialects::add(
    {"listing", "cuobjdump -sass or nvdisasm -hex, sm_50 to sm_62", is_listing, open_listing, 30});

}  // namespace
}  // namespace shflsim::isa
