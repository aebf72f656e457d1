//===- Tool.cpp - Dispatch to a subcommand --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Completion.h"
#include "ErrorPages.h"
#include "kiln/Driver/Driver.h"
#include "kiln/Reduce/Reduce.h"
#include "kiln/Support/Console.h"
#include "lib/Driver/Support/Options.h"
#include "lib/Driver/Support/Process.h"
#include "lib/Driver/Support/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

int driver::runVersion(Arguments arguments) {
  OptionTable table("version", "", "print the versions of kiln and of MLIR");
  Expected<OptionTable::Outcome> outcome = table.parse(arguments);
  if (!outcome)
    return report(outcome.takeError());
  if (*outcome == OptionTable::Outcome::HelpPrinted)
    return 0;
  outs() << "kiln " << kiln_version() << " (MLIR " << LLVM_VERSION_STRING << ")\n";
  return 0;
}

static int printHelp(ArrayRef<Command> commands) {
  outs() << "kiln: ahead-of-time compiler for ONNX transformers\n\n"
            "Usage: kiln COMMAND [options]\n\n";
  for (const Command &command : commands)
    outs() << format("  %-10s ", command.name.str().c_str()) << command.summary << '\n';
  outs() << format("  %-10s ", "completion") << "print completion for bash or zsh\n"
         << format("  %-10s ", "help")
         << "this text, or help on a command or an error code\n\n"
         << "  kiln compile model.onnx -o model.kiln\n"
            "  kiln run model.kiln --input ids=@ids.npy --output y=@y.npy\n\n"
            "Exit status: 0 done, 1 a comparison or verification failed, 2 usage,\n"
            "3 the model or package is at fault, 4 the machine is.\n";
  return 0;
}

static int unknownCommand(ArrayRef<Command> commands, StringRef name) {
  const Command *nearest = nullptr;
  unsigned best = 3;
  for (const Command &command : commands)
    if (unsigned distance = name.edit_distance(command.name); distance < best) {
      best = distance;
      nearest = &command;
    }
  std::string names =
      join(map_range(commands, [](const Command &c) { return c.name; }), ", ");
  return report(usageError("kiln", name.empty() ? "no command" : "unknown command",
                           "one of " + names + ", completion, help",
                           name.empty() ? Twine("none") : "'" + name + "'",
                           nearest ? "did you mean kiln " + nearest->name + "?"
                                   : Twine("kiln help lists them")));
}

static int dispatch(ArrayRef<Command> commands, Arguments arguments) {
  StringRef name = arguments.empty() ? "" : arguments.consume_front();
  bool help = name == "help" || name == "--help" || name == "-h";
  if (help && arguments.empty())
    return printHelp(commands);
  static const char *const helpOption[] = {"--help"};
  if (help) {
    name = arguments.front();
    if (isErrorCode(name))
      return printErrorPage(name);
    arguments = helpOption;
  }
  if (name == "completion")
    return printCompletion(commands, arguments);
  if (name == "--version")
    name = "version";
  for (const Command &command : commands)
    if (command.name == name)
      return command.run(arguments);
  return unknownCommand(commands, name);
}

/// Commands of the tool that this process is.
static ArrayRef<Command> ownCommands;

static int runOwnTool(int count, char **arguments) {
  return runTool(ownCommands, Arguments(arguments + 1, arguments + count));
}

int driver::runTool(ArrayRef<Command> commands, Arguments arguments) {
  prepareProcess("kiln", arguments);
  // In a process that kiln reduce has forked, its -q is not that of the test.
  setQuiet(false);
  ownCommands = commands;
  addTestProgram({"kiln", runOwnTool});
  return finishProcess(dispatch(commands, arguments));
}

int driver::runAlone(StringRef tool, int (*command)(Arguments), Arguments arguments) {
  prepareProcess(tool, arguments);
  return finishProcess(command(arguments));
}
