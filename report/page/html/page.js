// SPDX-License-Identifier: Apache-2.0
// Shows the page that the data's schema names.
const kPages = { "shflsim-run": run, "shflsim-compare": compare, "shflsim-results": results,
                 "shflsim-exec": exec, "shflsim-launches": launches };
kPages[data.schema.split("/")[0]]();
contents();
page.append(make("footer", {}, `shflsim ${data.version ?? ""}`));
Promise.all(drawings).then(() => { document.body.dataset.milliseconds = performance.now().toFixed(1); });
