// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// The middle of the lowering: between the words of PTX and the registers of SPA 5.0. Each pass
/// leaves the code's results as they are.

/// Blocks of cycles that are entered in several places are copied until there is one.
void give_cycles_one_entry(Code* code);
/// Expressions computed once, copies and constants read at their source.
void number_values(Code* code);
/// Lines whose results nothing reads are taken out.
void drop_dead_code(Code* code);
/// Lines whose results are written again before anything reads them are taken out. Throws NoRoom
/// as schedule_lines() does.
void drop_overwritten(Code* code, const Position& where);
/// Short sides of choices become guarded lines.
void convert_ifs(Code* code);
/// What all threads of a warp do to one word of shared memory one of them does for all.
void aggregate_atomics(Code* code);
/// Marks choices that all threads of a warp decide alike.
void find_uniform_choices(Code* code);
/// What a loop without calls computes alike in each round is computed before it.
void hoist_invariants(Code* code);
/// What is copied from one register to another stays in one where neither is written while the
/// other is wanted. Throws NoRoom as schedule_lines() does.
void merge_copies(Code* code, const Position& where);
/// The lines of each block in the order in which an SM of sm_50 gets through them soonest.
/// Throws NoRoom where more registers or predicates are live than there are.
void schedule_lines(Code* code, const Position& where);
/// Moves of a register to itself, as they are once registers are allocated, are taken out.
void drop_moves_in_place(Code* code, const std::vector<uint8_t>& numbers);

}  // namespace shflsim::isa::ptx
