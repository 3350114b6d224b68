// SPDX-License-Identifier: Apache-2.0
// The passes that lower a function from PTX to SPA 5.0, in order.
#include "isa/ptx/finish/pipeline.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "isa/base/bounded.h"
#include "isa/ptx/lines/check_lines.h"
#include "isa/ptx/lines/convention.h"
#include "isa/ptx/lines/frames.h"
#include "isa/ptx/lines/line_text.h"
#include "isa/ptx/lines/uses.h"
#include "isa/ptx/passes/optimise.h"

namespace shflsim::isa::ptx {
namespace {

using Run = void (*)(PlacedFunction& function, const Position& where);

struct Pass {
  const char* name;
  Run run;
  const char* what;  ///< what the pass does, as a sentence
};
using Passes = std::vector<Pass>;

template <void (*kPass)(Code*)>
void on_code(PlacedFunction& function, const Position& /*where*/) {
  kPass(&function.code);
}

template <void (*kPass)(Code*, const Position&)>
void on_code_at(PlacedFunction& function, const Position& where) {
  kPass(&function.code, where);
}

void number_registers(PlacedFunction& function, const Position& where) {
  function.numbers = allocate(function.code, where);
}

void number_or_spill(PlacedFunction& function, const Position& where) {
  function.numbers = allocate_or_spill(&function.code, where);
}

void drop_moves(PlacedFunction& function, const Position& /*where*/) {
  drop_moves_in_place(&function.code, function.numbers);
}

void preserve(PlacedFunction& function, const Position& /*where*/) {
  preserve_registers(&function.code, &function.numbers);
}

void settle_frames(PlacedFunction& function, const Position& where) {
  bounded(function.code.frame_bytes, kMostLocalBytes, "local memory of '" + function.name + "'",
          where, "bytes");
  settle_calls(&function.code);
}

void place_blocks(PlacedFunction& function, const Position& /*where*/) {
  function.order = place_control_flow(function.code);
}

void leave_as_it_is(PlacedFunction& /*function*/, const Position& /*where*/) {}

// clang-format off
const Passes kLower = {
    {"lower", leave_as_it_is, "each PTX statement becomes lines on virtual registers"},
};
const Passes kOptimise = {
    {"give_cycles_one_entry", on_code<give_cycles_one_entry>, "blocks of a cycle are copied until it has one entry"},
    {"number_values", on_code<number_values>, "each expression is computed once, constants become operands"},
    {"drop_dead_code", on_code<drop_dead_code>, "lines whose results nothing reads are removed"},
    {"convert_ifs", on_code<convert_ifs>, "short sides of choices become guarded lines"},
    {"number_values_again", on_code<number_values>, "the same in the blocks that are merged now"},
    {"drop_dead_code_again", on_code<drop_dead_code>, "lines whose results nothing reads are removed"},
    {"drop_overwritten", on_code_at<drop_overwritten>, "lines whose results are overwritten unread are removed"},
    {"aggregate_atomics", on_code<aggregate_atomics>, "one thread does the warp's atomics on a word"},
    {"find_uniform_choices", on_code<find_uniform_choices>, "choices that whole warps decide alike are marked"},
};
const Passes kKeep = {
    {"keep_over_calls", on_code_at<keep_over_calls>, "values that calls would overwrite are kept in the frame"},
};
const Passes kHoist = {
    {"hoist_invariants", on_code<hoist_invariants>, "loop-invariant lines move in front of the loop"},
};
const Passes kOrder = {
    {"merge_copies", on_code_at<merge_copies>, "registers that are copies of each other become one"},
    {"schedule_lines", on_code_at<schedule_lines>, "each block gets the order that finishes first"},
};
const Passes kAllocate = {
    {"move_passed_words", on_code<move_passed_words>, "calls pass words in the registers of the convention"},
    {"allocate", number_registers, "virtual registers get numbers"},
};
const Passes kSpill = {
    {"move_passed_words", on_code<move_passed_words>, "calls pass words in the registers of the convention"},
    {"allocate_or_spill", number_or_spill, "virtual registers get numbers or places in the frame"},
};
const Passes kTidy = {
    {"drop_moves_in_place", drop_moves, "moves of a register to itself are removed"},
};
const Passes kFinish = {
    {"preserve_registers", preserve, "functions save the registers that callers keep"},
    {"settle_calls", settle_frames, "frames get their sizes, calls become instructions"},
    {"place_control_flow", place_blocks, "blocks get an order and end in branches"},
};
// clang-format on
const Passes* const kAllPasses[] = {&kLower,    &kOptimise, &kKeep, &kHoist, &kOrder,
                                    &kAllocate, &kSpill,    &kTidy, &kFinish};

/// Runs passes on one function, and checks the code after each.
class Pipeline {
 public:
  Pipeline(PlacedFunction* function, const Position& where, Dump* dump)
      : function_(*function), where_(where), dump_(dump) {}

  void run(const Passes& passes) {
    for (const Pass& pass : passes) {
      pass.run(function_, where_);
      check(pass);
      if (dump_ != nullptr && dump_->pass() == pass.name) dumped_ = text_after(pass);
    }
  }

  /// Hoisting and scheduling can need more registers, which is not worth it if some are spilled:
  /// tries both, then scheduling alone, and then spills without either.
  void order_and_allocate() {
    for (const bool hoists : {true, false}) {
      Code before = function_.code;
      try {
        if (hoists) run(kHoist);
        run(kOrder);
        return run(kAllocate);
      } catch (const NoRoom&) {  // then with fewer registers in use at once
        function_.code = std::move(before);
        dumped_.reset();
      }
    }
    run(kSpill);
  }

  void finish() {
    if (dump_ == nullptr) return;
    dump_->add("// " + function_.name + " after " + dump_->pass() + ": " +
               dumped_.value_or("the pass was not needed\n") + "\n");
  }

 private:
  std::string text_after(const Pass& pass) const {
    return pass.what + std::string("\n") + text_of_code(function_.code, function_.numbers);
  }

  void check([[maybe_unused]] const Pass& pass) {
#ifndef NDEBUG
    std::string fault = fault_in(function_.code);
    if (fault.empty() && function_.numbers.empty()) fault = fault_in_uses(function_.code);
    if (!fault.empty()) throw std::logic_error(std::string("after ") + pass.name + ": " + fault);
#endif
  }

  PlacedFunction& function_;
  const Position& where_;
  Dump* dump_;
  std::optional<std::string> dumped_;
};

std::vector<std::string> names_of_passes() {
  std::vector<std::string> names;
  for (const Passes* passes : kAllPasses) {
    for (const Pass& pass : *passes) names.emplace_back(pass.name);
  }
  return names;
}

}  // namespace

Dump::Dump(const std::string& pass) : pass_(pass) {
  const std::vector<std::string> names = names_of_passes();
  if (std::find(names.begin(), names.end(), pass) != names.end()) return;
  throw InputError("--dump-after '" + pass + "'" + suggestion(pass, names));
}

PlacedFunction placed_function(Code code, const std::string& name, Lowering lowering,
                               const Position& where, Dump* dump) {
  PlacedFunction placed;
  placed.name = name;
  placed.code = std::move(code);
  const bool is_optimised = lowering == Lowering::kOptimised;
  Pipeline pipeline(&placed, where, dump);
  pipeline.run(kLower);
  if (is_optimised) pipeline.run(kOptimise);
  pipeline.run(kKeep);
  if (is_optimised) {
    pipeline.order_and_allocate();
    pipeline.run(kTidy);
  } else {
    pipeline.run(kSpill);
  }
  pipeline.run(kFinish);
  pipeline.finish();
  return placed;
}

}  // namespace shflsim::isa::ptx
