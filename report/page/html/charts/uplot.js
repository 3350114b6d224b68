// SPDX-License-Identifier: Apache-2.0
import "uplot/dist/uPlot.min.css";
export { default as Plot } from "uplot";
