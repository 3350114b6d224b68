// SPDX-License-Identifier: Apache-2.0
export { compile } from "vega-lite";
export { parse, View } from "vega";
export { expressionInterpreter } from "vega-interpreter";
export { Handler } from "vega-tooltip";
