#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The order of a timing file's rows changes nothing: PROGRAM LISTING TIMING.csv
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
head -n 61 "$3" >"$folder/forward.csv"
{ head -n 1 "$3"; tail -n +2 "$folder/forward.csv" | tac; } >"$folder/backward.csv"
for order in forward backward; do
  "$1" accuracy "$2" - <"$folder/$order.csv" | sort >"$folder/$order.txt"  # without its name
done
[[ $(grep -c '%$' "$folder/forward.txt") -eq 60 ]]
diff "$folder/forward.txt" "$folder/backward.txt"
