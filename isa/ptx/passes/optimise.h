// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// The passes between the lowering of PTX statements and the allocation of registers. Each pass
/// leaves the code's results unchanged.

/// Copies blocks of cycles that are entered in several places, until each cycle has one entry.
void give_cycles_one_entry(Code* code);
/// Removes repeated computations; reads copies and constants at their source.
void number_values(Code* code);
/// Removes lines whose results are never read.
void drop_dead_code(Code* code);
/// Removes lines whose results are overwritten before they are read. Throws NoRoom as
/// schedule_lines() does.
void drop_overwritten(Code* code, const Position& where);
/// Turns short sides of choices into guarded lines.
void convert_ifs(Code* code);
/// Replaces atomics of all threads of a warp on one word of shared memory by one thread's atomic.
void aggregate_atomics(Code* code);
/// Marks choices that all threads of a warp decide alike.
void find_uniform_choices(Code* code);
/// Moves loop-invariant computations out of loops without calls.
void hoist_invariants(Code* code);
/// Replaces copies between registers by one register if neither is written while the other is
/// live. Throws NoRoom as schedule_lines() does.
void merge_copies(Code* code, const Position& where);
/// Orders the lines of each block so that an SM of sm_50 executes them in the fewest cycles.
/// Throws NoRoom if more registers or predicates are live than there are.
void schedule_lines(Code* code, const Position& where);
/// Removes moves of a register to itself, which allocation leaves behind.
void drop_moves_in_place(Code* code, const std::vector<uint8_t>& numbers);

}  // namespace shflsim::isa::ptx
