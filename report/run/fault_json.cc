// SPDX-License-Identifier: Apache-2.0
#include "report/run/fault_json.h"

#include "report/run/rows.h"

namespace shflsim::report {
namespace {

Json json_of_fault(const Fault& fault) {
  static const std::string between = "; expected ";
  Json json = Json::object();
  if (!fault.where.file.empty()) json["file"] = fault.where.file;
  if (fault.where.line != 0) json["line"] = fault.where.line;
  if (fault.where.line != 0 && fault.where.column != 0) json["column"] = fault.where.column;
  const size_t end = fault.what.rfind(between);  // the user's text may have it too
  json["what"] = fault.what.substr(0, end);
  if (end != std::string::npos) json["expected"] = fault.what.substr(end + between.size());
  return json;
}

Json document(const Json& errors, const std::vector<std::string>& remarks) {
  Json json = {{"schema", "shflsim-errors/1"}, {"errors", errors}};
  if (!remarks.empty()) json["remarks"] = remarks;
  return json;
}

}  // namespace

std::string fault_json(const InputError& error, const std::vector<std::string>& remarks) {
  Json errors = Json::array();
  for (const Fault& fault : error.faults()) errors.push_back(json_of_fault(fault));
  Json json = document(errors, remarks);
  if (error.untold() != 0) json["more"] = error.untold();
  return json_of(json);
}

std::string fault_json(const std::string& what, const std::vector<std::string>& remarks) {
  const size_t end = what.find_last_not_of('\n') + 1;
  return json_of(document(Json::array({Json{{"what", what.substr(0, end)}}}), remarks));
}

}  // namespace shflsim::report
