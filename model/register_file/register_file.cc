// SPDX-License-Identifier: Apache-2.0
#include "model/register_file/register_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/input_error.h"

namespace shflsim::model {
namespace {

uint16_t tag_of(const BankRead& read, unsigned warp) {
  return static_cast<uint16_t>(warp << 8 | read.index);
}

}  // namespace

void RegisterFileParams::list(ParameterList& out) {
  out.number("register_file.banks", &banks, 1, 16, "banks",
             "register banks of a sub-partition; bank = register mod banks");
  out.number("register_file.ports", &ports, 1, 4, "reads per cycle",
             "read ports of a bank, each 32 lanes wide");
  list_results(out);
  out.choice("register_file.late_reads", &late_reads, {"collectors", "freeze"},
             "collectors: each of two operand collectors may take two cycles; freeze: issue stops "
             "where an operand has not come in the window");
  out.number("register_file.window", &window, 1, OperandWindow::kMostCycles, "cycles",
             "time after the issue of a math instruction in which it reads its operands, if late "
             "reads freeze");
  out.number(
      "register_file.written", &written, 0, 8, "cycles",
      "time from the end of a math instruction's window to the first read of its result from "
      "the bank; before, its result is forwarded in the last cycle of a window");
  out.number("register_file.missed", &missed, 0, 10, "cycles",
             "... of its result if the bank was taken in that last cycle");
  out.flag("register_file.late_clock", &late_clock,
           "1: a CS2R reads the clock a cycle after its issue, and later by the time for which "
           "late operands stop issue in between");
  out.number(
      "register_file.reuse_entries", &reuse_entries, 0, 1, "entries",
      "registers that the reuse cache holds for each operand position of a bank or collector");
  out.choice(
      "register_file.reuse_by", &reuse_by, {"collector_and_slot", "bank_and_slot"},
      "whether reuse entries belong to a collector or to a bank, and to an operand position");
  out.choice(
      "register_file.duplicates", &duplicates, {"once", "twice"},
      "reads of a register that occupies two operand positions: once (with collectors, twice if "
      "only one position is marked for reuse), or always twice");
  out.choice("register_file.wide_operands", &wide_operands, {"each", "once"},
             "each: every register of a wide math operand takes a port of its bank; once: only the "
             "first does, except for the addend of a 64-bit product, which takes two");
}

/// Of results, and of matrix products.
void RegisterFileParams::list_results(ParameterList& out) {
  out.number("register_file.write_distance", &write_distance, 0, 32, "cycles",
             "a math instruction that issues this long before a result of SHFL or shared memory is "
             "written blocks that write if both use one bank; 0: never");
  out.number("register_file.write_patience", &write_patience, 0, 64, "cycles",
             "time for which math may block a write until math stops; 0: no limit");
  out.number("register_file.write_gap", &write_gap, 1, 16, "cycles",
             "time for which math stops for a blocked write");
  out.number("register_file.product_write", &product_write, 0, 32, "cycles",
             "time from the issue of a matrix product with four registers of A to the first cycle "
             "in which it writes both banks; 0: it writes as other math");
  out.number("register_file.small_product_write", &small_product_write, 0, 32, "cycles",
             "the same for a matrix product with fewer registers of A");
  out.number("register_file.product_read", &product_read, 0, 32, "cycles",
             "time from the issue of a matrix product to the first of the cycles in which it reads "
             "its banks before other math; 0: it reads them besides");
  out.flag(
      "register_file.late_result", &late_result,
      "1: an instruction that could issue one cycle after the previous one of its warp does not "
      "see a result of SHFL or shared memory that arrives in this cycle");
  out.number("register_file.special_stages", &special_stages, 0, 64, "cycles",
             "stages of the special function unit, which stops for a cycle if a math instruction "
             "writes the bank of its result; results in the stages are a cycle later; 0: it does "
             "not stop");
}

RegisterFile::RegisterFile(const sc_core::sc_module_name& name, const RegisterFileParams& params,
                           std::shared_ptr<WindowOutcomes> outcomes)
    : Module(name),
      params_(params),
      banks_(params.banks),
      freezes_(params.late_reads == "freeze"),
      reuse_by_bank_(params.reuse_by == "bank_and_slot"),
      reads_once_(params.duplicates == "once"),
      window_({params.ports, params.window, params.written, params.missed}, std::move(outcomes)),
      results_(freezes_ ? kMostSlots : 0) {
  if (freezes_ && banks_ > OperandWindow::kMostBanks)
    throw InputError(
        fmt::format("register_file.banks = {}; expected {} at most where "
                    "register_file.late_reads = freeze",
                    banks_, OperandWindow::kMostBanks));
  for (size_t i = 0; i < bank_of_.size(); ++i) bank_of_[i] = static_cast<uint8_t>(i % banks_);
}

RegisterFile::Plan RegisterFile::plan(const Facts& facts) const {
  const Needed all = (1u << facts.bank_reads.count) - 1;
  Plan plan = plan_of(facts, freezes_ ? all : distinct(facts, 0));
  plan.first_write = facts.footprint.first_write;
  plan.write_count = facts.footprint.write_count;
  plan.marks_reuse = facts.bank_reads.marks_reuse && params_.reuse_entries != 0;
  return plan;
}

/// Returns the plan of these reads only.
RegisterFile::Plan RegisterFile::plan_of(const Facts& facts, Needed reads) const {
  Plan plan;
  if (facts.group_product.columns != 0) return plan;
  if (freezes_) return window_plan_of(facts, reads);
  std::array<uint8_t, kMostBanks> count{};
  uint32_t banks = 0;
  for (; reads != 0; reads &= reads - 1) {
    const BankRead& read = facts.bank_reads.reads[static_cast<size_t>(__builtin_ctz(reads))];
    const unsigned bank = bank_of_[read.index];
    ++count[bank];
    banks |= 1u << bank;
  }
  for (; banks != 0; banks &= banks - 1) {
    const auto bank = static_cast<uint8_t>(__builtin_ctz(banks));
    const auto cycles = static_cast<uint8_t>((count[bank] + params_.ports - 1) / params_.ports);
    plan.banks[plan.count++] = {bank, cycles, 0, 0};
    plan.held |= uint64_t{cycles} << (4 * bank);
    plan.longest = std::max(plan.longest, cycles);
  }
  plan.conflicts = static_cast<uint8_t>(std::max<int>(plan.longest, 1) - 1);
  plan.done = static_cast<uint8_t>(plan.conflicts + 1);
  return plan;
}

/// Puts the reads of other instructions into the window, as far as it reaches. Reads before `now`
/// delayed nothing.
[[gnu::noinline]] void RegisterFile::book_ports(Cycle now) {
  window_.advance(now);
  size_t kept = 0;
  next_book_ = kNever;
  for (size_t i = 0; i < ports_; ++i) {
    const PortTaken each = ports_taken_[i];
    if (each.at > now + params_.window) {
      ports_taken_[kept++] = each;
      next_book_ = std::min(next_book_, each.at - params_.window);
    } else if (each.at > now) {
      window_.take_port(each.bank, static_cast<int>(each.at - now));
    }
  }
  ports_ = kept;
}

namespace {

/// The reads of results of recent instructions, one bit each.
uint32_t find_results(const RegisterFile::Plan& plan, const ResultAges& of_warp,
                      const OperandWindow& window) {
  uint32_t results = 0;
  for (unsigned i = 0; i < plan.count; ++i) {
    const unsigned age = of_warp.of(plan.banks[i].index, window.clock());
    results |= uint32_t{window.is_seen(age)} << i;
  }
  return results;
}

constexpr uint8_t kCrosses = 0x80;  ///< marks the youngest result if it crosses between pipes

/// Returns the read of least age among these, one bit each; results that cross come last.
unsigned next_of(const std::array<uint8_t, BankReads::kMost>& ages, uint32_t of) {
  auto best = static_cast<unsigned>(__builtin_ctz(of));
  for (of &= of - 1; of != 0; of &= of - 1) {
    const auto each = static_cast<unsigned>(__builtin_ctz(of));
    if (ages[each] < ages[best]) best = each;
  }
  return best;
}

}  // namespace

/// Takes the reads of results, and then the others. Returns the cycles to the last of all.
[[gnu::noinline]] unsigned RegisterFile::take_with_results(const Plan& plan,
                                                           const ResultAges& of_warp) {
  const uint32_t results = find_results(plan, of_warp, window_);
  unsigned last = take_results(plan, of_warp, results);
  for (unsigned i = 0; i < plan.count; ++i) {
    const BankPlan& read = plan.banks[i];
    if ((results >> i & 1u) == 0) last = std::max(last, window_.read(read.bank, read.latches));
  }
  return last;
}

/// Takes these reads of results, the youngest first. Returns the cycles to the last of them.
unsigned RegisterFile::take_results(const Plan& plan, const ResultAges& results, uint32_t reads) {
  std::array<uint8_t, BankReads::kMost> ages{};
  for (uint32_t left = reads; left != 0; left &= left - 1) {
    const auto i = static_cast<size_t>(__builtin_ctz(left));
    const uint8_t index = plan.banks[i].index;
    const unsigned age = window_.seen_age(results.of(index, window_.clock()));
    const bool crosses = age == OperandWindow::kLeastAge && results.is_by_fxu(index) != plan.is_fxu;
    ages[i] = static_cast<uint8_t>(crosses ? age | kCrosses : age);
  }
  unsigned last = 0;
  while (reads != 0) {
    const unsigned i = next_of(ages, reads);
    const BankPlan& read = plan.banks[i];
    const unsigned age = ages[i] & ~unsigned{kCrosses};
    last = std::max(last, window_.read_result(read.bank, read.latches, age, age != ages[i]));
    reads &= ~(1u << i);
  }
  return last;
}

namespace {

/// Differs for other reads, and is not 0.
uint64_t number_of(const RegisterFile::BankPlan& read) {
  return 1u | unsigned{read.bank} << 1 | read.latches << 4;
}

}  // namespace

/// The plan with "freeze": one read per register or, if `duplicates` is "twice", per operand.
RegisterFile::Plan RegisterFile::window_plan_of(const Facts& facts, Needed reads) const {
  Plan plan;
  plan.is_fxu = facts.pipe == isa::Pipe::kFxu;
  // Matrix products read while they hold their pipe, without conflicts (matrices.csv, two warps).
  if (facts.matrices != MatrixProduct::kNone) return plan;
  std::array<uint8_t, BankReads::kMost> read_of{};  // register of each read
  for (; reads != 0; reads &= reads - 1) {
    const BankRead& read = facts.bank_reads.reads[static_cast<size_t>(__builtin_ctz(reads))];
    const auto end = read_of.begin() + plan.count;
    const auto same = reads_once_ ? std::find(read_of.begin(), end, read.index) : end;
    const auto place = static_cast<size_t>(same - read_of.begin());
    read_of[place] = read.index;
    BankPlan& its = plan.banks[place];
    its.bank = bank_of_[read.index];
    its.index = read.index;
    if (read.position < kPositions)
      its.latches |= window_slots::latches_of(its.bank, 1u << read.position);
    plan.latches |= its.latches;
    plan.latches_before |= its.latches * OperandWindow::kBeforeNow;
    if (same == end) ++plan.count;
  }
  if (plan.count > OperandWindow::kMostNumbered) plan.number = OperandWindow::kUnnumbered;
  for (unsigned i = 0; i < plan.count && plan.count <= OperandWindow::kMostNumbered; ++i)
    plan.number |= number_of(plan.banks[i]) << OperandWindow::kReadBits * i;
  return plan;
}

/// Takes the reads if registers may be kept or banks may be held. In a window, kept registers stay
/// in their latches for one more instruction, and the cycles of the reads decide what is kept.
[[gnu::noinline]] RegisterFile::Read RegisterFile::look_and_take(const Facts& facts,
                                                                 const Plan& plan, unsigned warp,
                                                                 Cycle now) {
  const BankReads& own = facts.bank_reads;
  const bool may_reuse = plan.marks_reuse || kept_ != 0;
  const Needed kept = !may_reuse       ? 0
                      : reuse_by_bank_ ? kept_by_bank(own, warp)
                                       : kept_by_collector(own, warp);
  if (!freezes_) {
    if (may_reuse && reuse_by_bank_) keep_by_bank(own, plan.is_fxu, warp);
    return wait_and_take(kept == 0 ? plan : plan_of(facts, distinct(facts, kept)), now);
  }
  const Needed needed = ((1u << own.count) - 1) & ~kept;
  const Read result =
      take_in_window(kept == 0 ? plan : window_plan_of(facts, needed), results_[warp], now);
  for (Needed left = kept; left != 0; left &= left - 1) {
    const BankRead& read = own.reads[static_cast<size_t>(__builtin_ctz(left))];
    window_.take(window_slots::latches_of(bank_of_[read.index], 1u << read.position));
  }
  if (reuse_by_bank_) keep_by_bank(own, plan.is_fxu, warp);
  return result;
}

/// Returns the reads that need their bank: those that are not in `kept` and do not share the read
/// of another operand.
RegisterFile::Needed RegisterFile::distinct(const Facts& facts, Needed kept) const {
  const BankReads& own = facts.bank_reads;
  Needed reads = ((1u << own.count) - 1) & ~kept;
  if (!reads_once_ || own.repeated == 0) return reads;
  for (unsigned i = 1; i < own.count; ++i) {
    for (unsigned before = 0; before < i; ++before) {
      const bool shares = own.reads[before].index == own.reads[i].index;
      if (shares && (reads >> before & 1u) != 0) reads &= ~(1u << i);
    }
  }
  return reads;
}

/// Returns the reads whose register is kept.
RegisterFile::Needed RegisterFile::kept_by_bank(const BankReads& own, unsigned warp) const {
  Needed kept = 0;
  for (unsigned i = 0; i < own.count; ++i) {
    const BankRead& read = own.reads[i];
    const bool has_position = read.position < kPositions;
    if (has_position && reuse_[read.position][bank_of_[read.index]].tag == tag_of(read, warp))
      kept |= 1u << i;
  }
  return kept;
}

/// Each read of a bank and position replaces the entry there: by its own register if it is marked
/// and came from the bank, otherwise by none.
void RegisterFile::keep_by_bank(const BankReads& own, bool by_fxu, unsigned warp) {
  const auto is_forwarded = [&](const BankRead& read) {
    const unsigned age = results_[warp].of(read.index, window_.clock());
    const bool crosses =
        age == OperandWindow::kLeastAge && results_[warp].is_by_fxu(read.index) != by_fxu;
    return window_.comes_before_bank(age) && !crosses;
  };
  const auto keeps = [&](const BankRead& read) {
    return read.reuse && !(freezes_ && is_forwarded(read));
  };
  for (unsigned i = 0; i < own.count; ++i) {
    const BankRead& read = own.reads[i];
    if (read.position >= kPositions) continue;
    keep(&reuse_[read.position][bank_of_[read.index]],
         keeps(read) ? tag_of(read, warp) : Entry{}.tag);
  }
}

/// Returns the reads whose register is kept. A wide operand is kept as a whole.
RegisterFile::Needed RegisterFile::kept_by_collector(const BankReads& own, unsigned warp) {
  Needed kept = 0;
  for (unsigned i = 0; i < own.count; ++i) {
    const BankRead& read = own.reads[i];
    const bool is_wide = i != 0 && own.reads[i - 1].position == read.position;
    const bool is_kept = is_wide ? (kept >> (i - 1) & 1u) != 0 : take_reuse(read, warp);
    if (is_kept) kept |= 1u << i;
  }
  return kept;
}

/// Returns true if either collector keeps the operand, which stays there if it is marked again. Any
/// other operand replaces the one that the collector of this instruction kept.
bool RegisterFile::take_reuse(const BankRead& read, unsigned warp) {
  if (read.position >= kPositions) return false;
  Entries& entries = reuse_[read.position];
  const uint16_t tag = tag_of(read, warp);
  const auto end = entries.begin() + kCollectors;
  const auto found =
      std::find_if(entries.begin(), end, [tag](const Entry& e) { return e.tag == tag; });
  const bool is_kept = found != end;
  Entry& entry = is_kept ? *found : entries[collector_];
  keep(&entry, read.reuse ? tag : Entry{}.tag);
  return is_kept;
}

/// Returns the collector that takes an instruction if neither has anything to read: the first one
/// that keeps no register, otherwise collector 0.
unsigned RegisterFile::find_idle_collector() const {
  for (unsigned collector = 0; collector < kCollectors; ++collector) {
    const auto keeps = [collector](const Entries& entries) {
      return entries[collector].tag != Entry{}.tag;
    };
    if (std::none_of(reuse_.begin(), reuse_.end(), keeps)) return collector;
  }
  return 0;
}

/// Takes the reads; in each bank they wait for the earlier reads.
RegisterFile::Read RegisterFile::wait_and_take(const Plan& plan, Cycle now) {
  for (unsigned bank = 0; held_ != 0 && bank < banks_; ++bank) bank_free_[bank] = bank_free(bank);
  held_ = 0;
  Cycle done = now + 1;
  for (const BankPlan *each = plan.banks.data(), *end = each + plan.count; each != end; ++each) {
    const Cycle free = std::max(bank_free_[each->bank], now) + each->cycles;
    bank_free_[each->bank] = free;
    done = std::max(done, free);
  }
  all_free_ = std::max(all_free_, done);
  return {done, plan.conflicts};
}

void read_product(const Facts& facts, const RegisterFileParams& params, Cycle now, BankUse* banks) {
  if (params.product_read == 0) return;
  std::array<Cycle, RegisterFile::kMostBanks> next{};
  next.fill(now + params.product_read);
  for (uint32_t i = 0; i < facts.footprint.read_count; ++i) {
    const isa::RegisterRead& operand = facts.footprint.reads[i];
    for (unsigned each = 0; each < operand.count; ++each) {
      const unsigned index = operand.index + each;
      banks->take_port(static_cast<uint8_t>(index), next[index % params.banks]++);
    }
    // Between A and B a large product leaves the banks to others for a cycle.
    if (i == 0 && facts.matrices == MatrixProduct::kLarge)
      for (Cycle& cycle : next) ++cycle;
  }
}

}  // namespace shflsim::model
