// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

#include "model/core/cycle.h"
#include "report/run/json_fields.h"

namespace shflsim::report {

/// Writes trace events, one after the other: names of processes and tracks, slices, counters and
/// arrows.
class TraceEvents {
 public:
  explicit TraceEvents(std::string head) : text_(std::move(head)) {}

  void name_process(uint32_t process, const std::string& name) {
    add(fmt::format(R"("ph":"M","pid":{},"tid":0,"name":"process_name","args":{{"name":{}}})",
                    process, quoted(name)));
    add(fmt::format(
        R"("ph":"M","pid":{0},"tid":0,"name":"process_sort_index","args":{{"sort_index":{0}}})",
        process));
  }
  void name_track(uint32_t process, uint32_t track, const std::string& name) {
    add(fmt::format(R"("ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}})",
                    process, track, quoted(name)));
    add(fmt::format(
        R"("ph":"M","pid":{},"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}})",
        process, track, track));
  }
  /// `arguments`: members of a JSON object.
  void slice(uint32_t process, uint32_t track, model::Cycle from, model::Cycle to,
             const std::string& name, const std::string& arguments) {
    add(fmt::format(R"("ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"args":{{{}}})",
                    process, track, from, to - from, quoted(name), arguments));
  }
  void count(uint32_t process, const std::string& name, model::Cycle at, int value) {
    add(fmt::format(R"("ph":"C","pid":{},"tid":0,"ts":{},"name":{},"args":{{"used":{}}})", process,
                    at, quoted(name), value));
  }
  void power(uint32_t process, model::Cycle at, double watts) {
    add(fmt::format(R"("ph":"C","pid":{},"tid":0,"ts":{},"name":"power","args":{{"watts":{:.3f}}})",
                    process, at, watts));
  }
  /// An arrow from one slice to another, by moments in them.
  struct Moment {
    uint32_t process = 0;
    uint32_t track = 0;
    model::Cycle at = 0;
  };
  void arrow(const Moment& from, const Moment& to, const std::string& name) {
    ++arrows_;
    add(fmt::format(R"("ph":"s","id":{},"cat":"wait","pid":{},"tid":{},"ts":{},"name":{})", arrows_,
                    from.process, from.track, from.at, quoted(name)));
    add(fmt::format(R"("ph":"f","bp":"e","id":{},"cat":"wait","pid":{},"tid":{},"ts":{},"name":{})",
                    arrows_, to.process, to.track, to.at, quoted(name)));
  }
  std::string end(const std::string& tail) {
    text_ += tail;
    return std::move(text_);
  }

 private:
  static std::string quoted(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  void add(const std::string& members) {
    text_ += is_first_ ? "\n{" : ",\n{";
    text_ += members;
    text_ += '}';
    is_first_ = false;
  }

  std::string text_;
  bool is_first_ = true;
  uint64_t arrows_ = 0;
};

}  // namespace shflsim::report
