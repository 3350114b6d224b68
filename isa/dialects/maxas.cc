// SPDX-License-Identifier: Apache-2.0
// maxas text: "--:-:1:-:4   @P0 SHFL.IDX PT, R1, R0, R2, 0x1f;", labels, # remarks, names of
// registers and constants.
#include "isa/assembly/text_lines.h"
#include "isa/base/text_cursor.h"
#include "isa/dialects/assembly.h"
#include "isa/dialects/control_text.h"

namespace shflsim::isa {
namespace {

const AssemblySyntax kMaxasSyntax = {take_maxas_control, "one such as 01:-:2:Y:d", true};

bool is_maxas(const SourceText& source) { return has_control_line(source, kMaxasSyntax); }

/// Throws InputError for text that needs maxas' preprocessor: Perl, includes, code to be scheduled.
void refuse_templates(const SourceText& source) {
  for_each_line(source.text, [&source](std::string_view line, unsigned number) {
    const std::string_view text = trimmed(line.substr(0, line.find("//")));
    for (const std::string_view mark :
         {"<CODE", "<INCLUDE", "<SCHEDULE_BLOCK", "<ORDERED", "[+", "[-"}) {
      const size_t at = text.find(mark);
      const bool is_template = mark[0] == '[' ? at != std::string_view::npos : at == 0;
      if (!is_template) continue;
      throw InputError({source.file, number}, std::string(mark) +
                                                  " is for maxas' preprocessor; expected what "
                                                  "'maxas.pl --pre FILE' makes of the text");
    }
  });
}

std::unique_ptr<Source> open_maxas(const SourceText& source) {
  refuse_templates(source);
  return open_assembly(source, kMaxasSyntax);
}

const bool maxas_registered = Dialects::add(
    {"maxas", "maxas text, a control in front of each instruction", is_maxas, open_maxas, 50});

}  // namespace
}  // namespace shflsim::isa
