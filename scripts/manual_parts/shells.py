# SPDX-License-Identifier: Apache-2.0
"""Completion for bash, zsh and fish, from the option table and what the program lists."""

FILES = "files"  # a value or an argument is the name of a file
ARCHITECTURES = [f"sm_{number}" for number in (50, 52, 60, 61, 70, 72, 75, 80, 86, 89, 90, 100, 120)]
WORDS = {
    "format": ["text", "json", "jsonl", "csv"],
    "color": ["auto", "always", "never"],
    "progress": ["auto", "plain", "none"],
    "placement": ["spread", "one"],
    "unknown-lanes": ["identity", "xor", "random:", "worst"],
    "region": ["clock"],
    "arch": ARCHITECTURES,
}
FILE_VALUES = {"FILE", "I:FILE", "Rx:FILE", "TRACE"}
NO_FILES = {"decode", "encode", "lower", "explain", "list", "rtl", "trace"}  # their arguments are words


def names(rows, key="name"):
    return [row[key] for row in rows]


class Face:
    """The words that can follow in a command line."""

    def __init__(self, commands, options, lists):
        self.commands = {row["name"]: row["help"] for row in commands}
        self._options = options
        self._lists = lists

    def verbs(self):
        return [name for name in self.commands if " " not in name]

    def inner(self, verb):
        return [name.split()[1] for name in self.commands if name.startswith(verb + " ")]

    def options(self, command):
        return [row for row in self._options
                if row["command"] == command and row["group"] != "arguments"]

    def settings(self):
        """Each config key whose value is a word, with its possible words."""
        found = {}
        for row in self._lists["config"]:
            words = row["allowed"].split(", ")
            is_word = len(words) > 1 and all(word.replace("_", "").isalnum() for word in words)
            found[row["key"]] = words if is_word else []
        found["shuffle.network"] = names(self._lists["networks"])
        found["scheduler.policy"] = names(self._lists["policies"])
        return found

    def values(self, option):
        """The words for the value of an option, FILES, or none."""
        name = option["name"]
        if name == "config":
            return names(self._lists["configs"], "config")
        if name == "network":
            return [*names(self._lists["networks"]), "all"]
        if name == "view":
            return [f"{each}:" for each in names(self._lists["views"])]
        if name == "set":
            return [f"{key}=" for key in self.settings()]
        if name in WORDS:
            return WORDS[name]
        return FILES if option["value"] in FILE_VALUES else []

    def arguments(self, command):
        if self.inner(command):
            return self.inner(command)
        if command == "list":
            return self._topics()
        if command == "explain":
            return ["stall", "metric", "parameter"]
        if command == "rtl":
            return names(self._lists["networks"])
        return [] if command in NO_FILES else FILES

    def _topics(self):
        text = self.commands["list"]  # "list one of: configs, config, ..."
        return text.partition(": ")[2].split(", ")


def takes_value(option):
    return option["value"] != "" and not option["optional"]


def flags(option):
    return [f"-{option['letter']}"] * bool(option["letter"]) + [f"--{option['name']}"]


BASH = r"""# bash completion for shflsim; written by scripts/manual
_shflsim_words() {  # CASE: the words there
  case $1 in
@CASES@
  esac
}

_shflsim_setting() {  # KEY: the words that it may be
  case $1 in
@SETTINGS@
  esac
}

_shflsim() {
  local line=${COMP_LINE:0:COMP_POINT} command="" option="" word words="" list=""
  local -a given
  read -ra given <<< "$line"
  local current=${given[-1]}
  [[ $line == *[[:space:]] ]] && current="" || unset 'given[-1]'
  for word in "${given[@]:1}"; do  # which command, and the option in front of the cursor
    if [[ -n $option ]]; then option=""; continue; fi
    case $word in
      -*=*) ;;
      -*) [[ -n $(_shflsim_words "$command $word") ]] && option=$word ;;
      *) case "$command" in
           "" | help) command=$word ;;
           trace) command="trace $word" ;;
         esac ;;
    esac
  done
  if [[ -z $option && $current == --*=* ]]; then
    option=${current%%=*} current=${current#*=}
  fi
  if [[ -n $option ]]; then
    words=$(_shflsim_words "$command $option")
    if [[ $option == --set && $current == *=* ]]; then
      words=$(_shflsim_setting "${current%%=*}")
      list=${current%%=*}=
    elif [[ $option == --view && $current == *:* ]]; then
      words="<file>" list=${current%%:*}:
    elif [[ $option == --network && $current == *,* ]]; then
      list=${current%,*},
    fi
  elif [[ $current == -* ]]; then
    words=$(_shflsim_words "$command -")
  else
    words=$(_shflsim_words "$command")
  fi
  _shflsim_reply "$words" "$current" "$list"
}

_shflsim_reply() {  # WORDS CURRENT PREFIX: those that go on from there; <file>: files
  local word prefix=$3 rest=${2#"$3"} whole
  COMPREPLY=()
  for word in $1; do
    if [[ $word == "<file>" ]]; then
      compopt -o filenames 2> /dev/null
      while IFS= read -r whole; do COMPREPLY+=("$prefix$whole"); done < <(compgen -f -- "$rest")
    elif [[ $word == "$rest"* && $word != "<value>" ]]; then
      COMPREPLY+=("$prefix$word")
      [[ $word == *[=:] ]] && compopt -o nospace 2> /dev/null
    fi
  done
  # readline replaces only what stands behind the last of these
  local kept=${2%"${2##*[=:]}"} i
  for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$kept"}; done
}

complete -F _shflsim shflsim
"""


def bash_words(values):
    if values == FILES:
        return "<file>"
    return " ".join(values)


def bash(face):
    cases = [f'    "" | " -") echo "{" ".join(face.verbs())} help --help --version" ;;',
             f'    help) echo "{" ".join(face.verbs())}" ;;']
    for command in face.commands:
        options = face.options(command)
        every = [flag for option in options for flag in flags(option)]
        cases.append(f'    "{command} -") echo "{" ".join(every)}" ;;')
        arguments = bash_words(face.arguments(command))
        if arguments:
            cases.append(f'    "{command}") echo "{arguments}" ;;')
        for option in filter(takes_value, options):
            here = " | ".join(f'"{command} {flag}"' for flag in flags(option))
            values = bash_words(face.values(option)) or "<value>"
            if option["name"] == "config":
                values += " <file>"
            cases.append(f'    {here}) echo "{values}" ;;')
    settings = [f'    {key}) echo "{" ".join(words)}" ;;'
                for key, words in face.settings().items() if words]
    return BASH.replace("@CASES@", "\n".join(cases)).replace("@SETTINGS@", "\n".join(settings))


def zsh_text(text):
    for sign in "\\[]:":
        text = text.replace(sign, "\\" + sign)
    return text.replace("'", "'\\''")


def zsh_action(values):
    if values == FILES:
        return "_files"
    ends = {word[-1] for word in values if word[-1] in "=:"}
    if ends:
        stripped = " ".join(word.rstrip("=:") for word in values)
        sign = ends.pop().replace(":", "\\:")
        return f"{{compadd -S \"{sign}\" -q -- {stripped}}}"
    return f"({' '.join(values)})" if values else " "


def zsh_option(option, face):
    text = f"[{zsh_text(option['help'])}]"
    value = ""
    if takes_value(option):
        action = zsh_action(face.values(option))
        if option["name"] == "config":
            action = "{_alternative \"machines:machine:" + action + "\" \"files:file:_files\"}"
        value = f":{zsh_text(option['value'])}:{action}"
    star = "*" if option["repeats"] else ""
    return [f"'{star}{flag}{text}{value}'" for flag in flags(option)]


def zsh(face):
    lines = ["#compdef shflsim", "# written by scripts/manual", "",
             "_shflsim_command() {", "  case $1 in"]
    for command in face.commands:
        specs = [spec for option in face.options(command) for spec in zsh_option(option, face)]
        arguments = zsh_action(face.arguments(command))
        lines.append(f'    "{command}") _arguments -s \\')
        lines += [f"      {spec} \\" for spec in specs]
        if face.inner(command):
            lines.append(f"      '1:verb:{arguments}' '*::argument:->inner' && return")
            lines += ["      if [[ $state == inner ]]; then",
                      f'        _shflsim_command "{command} $words[1]"', "      fi ;;"]
        else:
            lines.append(f"      '*:argument:{arguments}' ;;")
    lines += ["  esac", "}", "", "_shflsim() {", "  local state line", "  local -a commands=("]
    lines += [f"    '{verb}:{zsh_text(face.commands[verb])}'" for verb in face.verbs()]
    lines += ["    'help:more of a command'", "  )",
              "  _arguments -C '1:command:->command' '*::argument:->argument' && return",
              "  case $state in", "    command) _describe command commands ;;",
              "    argument)", "      if [[ $words[1] == help ]]; then",
              "        _describe command commands", "      else",
              '        _shflsim_command "$words[1]"', "      fi ;;", "  esac", "}", "",
              '_shflsim "$@"']
    return "\n".join(lines) + "\n"


def fish_text(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_values(values):
    if values == FILES:
        return " -r -F"
    return f" -x -a {fish_text(' '.join(values))}" if values else " -x"


def fish_condition(command, face):
    seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.split())
    if face.inner(command):
        seen += f"; and not __fish_seen_subcommand_from {' '.join(face.inner(command))}"
    return f"complete -c shflsim -n {fish_text(seen)}"


def fish(face):
    lines = ["# fish completion for shflsim; written by scripts/manual", "complete -c shflsim -f"]
    for verb in [*face.verbs(), "help"]:
        text = face.commands.get(verb, "more of a command")
        lines.append("complete -c shflsim -n __fish_use_subcommand "
                     f"-a {verb} -d {fish_text(text)}")
    lines.append("complete -c shflsim -n '__fish_seen_subcommand_from help' "
                 f"-a {fish_text(' '.join(face.verbs()))}")
    for command in face.commands:
        start = fish_condition(command, face)
        arguments = face.arguments(command)
        if arguments == FILES:
            lines.append(f"{start} -F")
        elif arguments:
            lines.append(f"{start} -a {fish_text(' '.join(arguments))}")
        for option in face.options(command):
            letter = f" -s {option['letter']}" if option["letter"] else ""
            values = fish_values(face.values(option)) if takes_value(option) else ""
            lines.append(f"{start}{letter} -l {option['name']}{values} "
                         f"-d {fish_text(option['help'])}")
    return "\n".join(lines) + "\n"
