//===- Completion.cpp - Shell completion ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Completion.h"
#include "lib/Driver/Support/Options.h"
#include "lib/Driver/Support/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

using Descriptions = std::vector<OptionTable::Description>;

static Descriptions optionsOf(const Command &command) {
  Descriptions options;
  OptionTable::describeTo(&options);
  command.run({});
  OptionTable::describeTo(nullptr);
  return options;
}

static std::string namesOf(ArrayRef<Command> commands) {
  return join(map_range(commands, [](const Command &c) { return c.name; }), " ") +
         " completion help";
}

/// Returns all words by which a command line may name the option.
static std::string wordsOf(const Descriptions &options) {
  SmallVector<std::string> words;
  for (const OptionTable::Description &option : options) {
    words.push_back("--" + option.longName);
    if (!option.shortName.empty())
      words.push_back("-" + option.shortName);
  }
  return join(words, " ");
}

static void printBash(ArrayRef<Command> commands) {
  raw_ostream &os = outs();
  os << "# kiln completion bash > ~/.local/share/bash-completion/completions/kiln\n"
        "_kiln() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} options=\n"
        "  if ((COMP_CWORD == 1)); then\n"
        "    COMPREPLY=($(compgen -W '"
     << namesOf(commands)
     << "' -- \"$word\"))\n"
        "    return\n"
        "  fi\n"
        "  case ${COMP_WORDS[1]} in\n";
  for (const Command &command : commands)
    os << "  " << command.name << ") options='" << wordsOf(optionsOf(command))
       << "' ;;\n";
  os << "  help) options='" << namesOf(commands)
     << "' ;;\n"
        "  completion) options='bash zsh' ;;\n"
        "  esac\n"
        "  if [[ $word == -* || ${COMP_WORDS[1]} == @(help|completion) ]]; then\n"
        "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
        "  else\n"
        "    compopt -o filenames\n"
        "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
        "  fi\n"
        "}\n"
        "complete -F _kiln kiln\n";
}

/// Escapes text inside of single quotes and of the brackets of _arguments.
static std::string zshText(StringRef text) {
  std::string result;
  for (char c : text) {
    if (StringRef("[]:\\").contains(c))
      result += '\\';
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return result;
}

static void printZshOption(const OptionTable::Description &option) {
  auto spell = [&](std::string name) {
    outs() << " \\\n      '" << (option.repeats ? "*" : "") << name
           << (option.takesValue ? "=" : "") << '[' << zshText(option.help) << ']'
           << (option.takesValue ? ":value:_files" : "") << '\'';
  };
  spell("--" + option.longName);
  if (!option.shortName.empty())
    outs() << " \\\n      '-" << option.shortName << '[' << zshText(option.help) << ']'
           << (option.takesValue ? ":value:_files" : "") << '\'';
}

static void printZsh(ArrayRef<Command> commands) {
  raw_ostream &os = outs();
  os << "#compdef kiln\n"
        "# kiln completion zsh > a folder of $fpath/_kiln\n"
        "_kiln() {\n"
        "  if ((CURRENT == 2)); then\n"
        "    local -a commands=(\n";
  for (const Command &command : commands)
    os << "      '" << command.name << ':' << zshText(command.summary) << "'\n";
  os << "      'completion:print completion for a shell'\n"
        "      'help:help on a command or an error code')\n"
        "    _describe command commands\n"
        "    return\n"
        "  fi\n"
        "  case $words[2] in\n";
  for (const Command &command : commands) {
    os << "  " << command.name << ")\n    _arguments '1:command:' '*:file:_files'";
    for (const OptionTable::Description &option : optionsOf(command))
      printZshOption(option);
    os << " ;;\n";
  }
  os << "  help) compadd " << namesOf(commands)
     << " ;;\n"
        "  completion) compadd bash zsh ;;\n"
        "  esac\n"
        "}\n"
        "_kiln \"$@\"\n";
}

int driver::printCompletion(ArrayRef<Command> commands, Arguments arguments) {
  StringRef shell = arguments.size() == 1 ? arguments[0] : "";
  if (shell == "--help" || shell == "-h") {
    outs() << "kiln completion: print completion for a shell\n\n"
              "Usage: kiln completion bash|zsh\n\n"
              "  bash   source <(kiln completion bash)\n"
              "  zsh    kiln completion zsh > a folder of $fpath/_kiln\n";
    return 0;
  }
  if (shell == "bash")
    printBash(commands);
  else if (shell == "zsh")
    printZsh(commands);
  else
    return report(usageError("kiln completion", "no such shell", "bash or zsh",
                             shell.empty() ? Twine("none") : "'" + shell + "'",
                             "name one of them"));
  return 0;
}
