# SPDX-License-Identifier: Apache-2.0
"""Manual pages: of commands from the option table, of file formats from Markdown."""
import re

# The default of --jobs depends on the machine; a page states its meaning.
MACHINE_DEFAULTS = {"jobs": "as many as there are processors"}


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti")
    return "\\&" + text if text.startswith(".") else text


def inline(text):
    """Markdown within a paragraph: code and emphasis become bold, links become their text."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    parts = re.split(r"(``?[^`]+``?|\*\*[^*]+\*\*)", text)
    whole = ""
    for part in parts:
        stressed = part.strip("`") if part.startswith("`") else part.strip("*")
        if re.fullmatch(r"``?[^`]+``?|\*\*[^*]+\*\*", part):
            whole += f"\\fB{escaped(stressed).removeprefix(chr(92) + '&')}\\fP"
        else:
            whole += escaped(part).removeprefix("\\&")
    return "\\&" + whole if whole.startswith(".") else whole


def verbatim(lines):
    return ["", ".RS 2", ".nf", *map(escaped, lines), ".fi", ".RE"]


def head(name, section, version):
    title = "User commands" if section == 1 else "File formats"
    return [f'.TH {escaped(name.upper())} {section} "" "{version}" "{title}"', ".nh", ".ad l"]


def page_name(command):
    return "shflsim-" + command.replace(" ", "-")


def reference(command):
    return f"\\fB{escaped(page_name(command))}\\fP(1)"


def dedented(text):
    return [line[2:] if line.startswith("  ") else line for line in text.rstrip("\n").split("\n")]


def option_lines(option):
    names = [f"\\fB\\-{option['letter']}\\fP"] if option["letter"] else []
    value = f"\\fI{escaped(option['value'])}\\fP" if option["value"] else ""
    value = f"[={value}]" if option["optional"] else f" {value}" if value else ""
    names.append(f"\\fB\\-\\-{escaped(option['name'])}\\fP{value}")
    standard = MACHINE_DEFAULTS.get(option["name"], option["default"])
    text = inline(option["help"]) + (f" (default {escaped(standard)})" if standard else "")
    return [".TP", ", ".join(names), text]


def statuses_and_environment(ending):
    statuses, environment = ending
    lines = [".SH EXIT STATUS", escaped(" ".join(statuses.split()).partition(": ")[2]) + "."]
    lines.append(".SH ENVIRONMENT")
    for line in environment.strip().split("\n")[1:]:
        name, text = line.split(None, 1)
        lines += [".TP", f"\\fB{name}\\fP", escaped(text)]
    return lines


def command_page(version, command, options, ending):
    name = command["name"]
    lines = head(page_name(name), 1, version)
    lines += [".SH NAME", f"{escaped(page_name(name))} \\- {escaped(command['help'])}"]
    lines += [".SH SYNOPSIS", f"\\fB{escaped(command['call'].split(';')[0])}\\fP"]
    lines += [".SH EXAMPLES", *verbatim(dedented(command["example"]))[1:]]
    group = ""
    for option in options:
        if option["group"] != group:
            if group in ("", "arguments") and option["group"] != "arguments":
                lines.append(".SH OPTIONS")
            group = option["group"]
            if group == "arguments":
                lines.append(".SH ARGUMENTS")
            elif group != "options":
                lines.append(f".SS {group[0].upper() + escaped(group[1:])}")
        if group == "arguments":
            lines += [".TP", f"\\fI{escaped(option['value'])}\\fP", inline(option["help"])]
        else:
            lines += option_lines(option)
    lines += statuses_and_environment(ending)
    return "\n".join([*lines, ".SH SEE ALSO", "\\fBshflsim\\fP(1)"]) + "\n"


def overview(version, commands, formats, ending):
    lines = head("shflsim", 1, version)
    lines += [".SH NAME", "shflsim \\- time SASS on a model of one NVIDIA SM and its shuffle unit"]
    lines += [".SH SYNOPSIS", "\\fBshflsim\\fP \\fICOMMAND\\fP [\\fIarguments\\fP]", ".br",
              "\\fBshflsim help\\fP \\fICOMMAND\\fP"]
    lines += [".SH EXAMPLES",
              *verbatim(["shflsim run traces/scan_inclusive.sass --reg Rsum=1.0"])[1:]]
    lines.append(".SH COMMANDS")
    for command in commands:
        lines += [".TP", reference(command["name"]), escaped(command["help"])]
    lines += statuses_and_environment(ending)
    lines += [".SH FILES", ".TP", "\\fI/usr/share/shflsim/configs\\fP", "the shipped machines and "
              "overlays", ".TP", "\\fI/usr/share/shflsim/traces\\fP", "what the examples run"]
    also = ", ".join(f"\\fB{escaped(name)}\\fP(5)" for name in formats)
    return "\n".join([*lines, ".SH SEE ALSO", also]) + "\n"


def table_lines(rows):
    """A row becomes its first cell (its second, if that is empty), with the rest below it."""
    lines = []
    for cells in rows[2:]:  # after the heads and the rule
        filled = [cell for cell in cells if cell]
        title, rest = (filled[:1], filled[1:]) if len(cells) == 2 else (filled[:-1], filled[-1:])
        lines += [".TP", " ".join(map(inline, title)), inline("; ".join(rest)) or "\\&"]
    return lines


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def list_lines(block):
    lines = []
    for item in re.split(r"\n(?=\s*(?:-|\d+\.) )", block):
        indent, mark, text = re.match(r"(\s*)(-|\d+\.) ((?:.|\n)*)", item).groups()
        mark = "\\(bu" if mark == "-" else mark
        lines += [".RS 4"] if indent else []
        lines += [f".IP {mark} 4", inline(" ".join(text.split()))]
        lines += [".RE"] if indent else []
    return lines


def block_lines(block):
    if block.startswith("#"):
        level, _, text = block.partition(" ")
        text, _, rest = text.partition("\n")
        title = f".SS {inline(text)}" if len(level) > 2 else f".SH {inline(text)}"
        return [title] + (block_lines(rest) if rest else [])
    if block.startswith("    "):
        return verbatim([line[4:] for line in block.split("\n")])
    if block.startswith("```"):
        return verbatim(block.split("\n")[1:-1])
    if block.startswith("|"):
        return table_lines([cells_of(line) for line in block.split("\n")])
    if re.match(r"- |\d+\. ", block):
        return list_lines(block)
    found = re.search(r"\n(?=- |\d+\. |\|)", block)
    if found:
        return block_lines(block[:found.start()]) + block_lines(block[found.end():])
    return [".PP", inline(" ".join(block.split()))]


def blocks_of(markdown):
    """Splits Markdown into paragraphs and blocks of code, which may contain empty lines."""
    blocks = []
    for block in re.split(r"\n\s*\n", markdown.strip("\n")):
        goes_on = blocks and (blocks[-1].count("```") % 2 == 1 or
                              blocks[-1].startswith("    ") and block.startswith("    "))
        if goes_on:
            blocks[-1] += "\n\n" + block
        else:
            blocks.append(block)
    return blocks


def format_page(version, name, about, markdown):
    lines = head(name, 5, version) + [".SH NAME", f"{escaped(name)} \\- {escaped(about)}"]
    blocks = blocks_of(markdown)
    if blocks[0].startswith("# "):
        rest = blocks[0].partition("\n")[2]
        blocks[0] = "## Description" + ("\n" + rest if rest else "")
    for block in blocks:
        lines += block_lines(block)
    return "\n".join([*lines, ".SH SEE ALSO", "\\fBshflsim\\fP(1)"]) + "\n"


def parameter_section(parameters):
    """All keys as a Markdown table, with their values on the machine of `parameters`."""
    rows = ["", "", "## Keys", "", "| key | what it is |", "|---|---|"]
    for each in parameters:
        unit = f" {each['unit']}" if each["unit"] else ""
        allowed = each["allowed"].replace("|", " ")
        rows.append(f"| `{each['key']}` | {each['help']}; {allowed}; "
                    f"on gm107 {each['value']}{unit} |")
    return "\n".join(rows) + "\n"
