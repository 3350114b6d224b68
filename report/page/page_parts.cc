// SPDX-License-Identifier: Apache-2.0
#include "report/page/page_parts.h"

/// Embeds a file, which the assembler finds (report/CMakeLists.txt).
#define SHFLSIM_PART(name, file)                                                         \
  asm(".pushsection .rodata\n"                                                           \
      "shflsim_" #name ":\n.incbin \"" file                                              \
      "\"\n"                                                                             \
      "shflsim_" #name "_end:\n.popsection\n");                                          \
  extern "C" const char shflsim_##name[], shflsim_##name##_end[];                        \
  std::string_view shflsim::report::name() {                                             \
    return {shflsim_##name, static_cast<size_t>(shflsim_##name##_end - shflsim_##name)}; \
  }

SHFLSIM_PART(page_html, "page.html")
SHFLSIM_PART(page_style, "page.css")
SHFLSIM_PART(page_script, "script.js")
SHFLSIM_PART(uplot_style, "uplot.css")
SHFLSIM_PART(uplot_script, "uplot.js")
SHFLSIM_PART(vega_script, "vega.js")
