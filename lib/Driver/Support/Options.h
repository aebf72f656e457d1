//===- Options.h - Command lines --------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of one subcommand as a table that stores values into a struct instead of
// globals. `--name value`, `--name=value`, `-o value`; options and positional arguments
// may be mixed; `--` ends the options.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_SUPPORT_OPTIONS_H
#define KILN_LIB_DRIVER_SUPPORT_OPTIONS_H

#include "kiln/Driver/Driver.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::driver {

class OptionTable {
public:
  using Store = std::function<llvm::Error(llvm::StringRef)>;
  enum class Outcome { Proceed, HelpPrinted };

  /// command: "run"; synopsis: "M.kiln [options]".
  OptionTable(llvm::StringRef command, llvm::StringRef synopsis, llvm::StringRef summary);

  /// names: "output,o" (long name first).
  void flag(llvm::StringRef names, llvm::StringRef help, bool &out);
  /// store: called with an empty text.
  void flag(llvm::StringRef names, llvm::StringRef help, Store store);
  void text(llvm::StringRef names, llvm::StringRef metavar, llvm::StringRef help,
            std::string &out);
  void number(llvm::StringRef names, llvm::StringRef metavar, llvm::StringRef help,
              uint64_t lo, uint64_t hi, uint64_t &out);
  /// example: a typical value, for the fix in error messages.
  void real(llvm::StringRef names, llvm::StringRef metavar, llvm::StringRef help,
            std::optional<double> &out, llvm::StringRef example);
  /// Declares an option with any other type of value. repeat: it may occur several times.
  void value(llvm::StringRef names, llvm::StringRef metavar, llvm::StringRef help,
             Store store, bool repeat = false);
  /// Declares an option with an optional value, given as `--name=value`.
  void optionalValue(llvm::StringRef names, llvm::StringRef metavar, llvm::StringRef help,
                     Store store);
  /// Declares the positional argument, which must occur exactly once; or not at all if
  /// the flag `substitute` was given.
  void positional(llvm::StringRef metavar, llvm::StringRef help, std::string &out,
                  const bool *substitute = nullptr);
  /// Sets lines that --help prints after the options.
  void epilog(llvm::StringRef text) { trailer = text; }

  llvm::Expected<Outcome> parse(Arguments arguments);
  /// Returns the long names of the options that the arguments had.
  std::vector<std::string> given() const;

  /// Description of an option for shell completion.
  struct Description {
    std::string longName, shortName, help; ///< help: in one line
    bool takesValue = false, repeats = false;
  };
  /// While `sink` is set, `parse` only appends descriptions of the table's options to it
  /// and returns as after printing help. This is how the options of all commands are
  /// listed.
  static void describeTo(std::vector<Description> *sink);

private:
  void describe(std::vector<Description> &out) const;
  enum class Kind { Flag, Value, OptionalValue };
  struct Option {
    std::string longName, shortName;
    llvm::StringRef metavar, help;
    Kind kind;
    bool repeat;
    Store store;
    bool seen = false;

    std::string spelled() const;
  };

  void add(llvm::StringRef names, llvm::StringRef metavar, llvm::StringRef help,
           Kind kind, bool repeat, Store store);
  Option *find(llvm::StringRef name, bool isLong);
  llvm::Error unknown(llvm::StringRef argument) const;
  llvm::Error apply(Option &option, std::optional<llvm::StringRef> attached,
                    Arguments &rest);
  llvm::Error parseOption(llvm::StringRef argument, Arguments &rest);
  llvm::Error parsePositional(llvm::StringRef argument);
  llvm::Error checkPositional() const;
  void printHelp() const;
  std::string where() const { return "kiln " + command; }
  std::string helpHint() const;

  std::string command, synopsis, summary;
  llvm::StringRef trailer;
  std::vector<Option> options;
  llvm::StringRef positionalName, positionalHelp;
  std::string *positionalOut = nullptr;
  const bool *positionalSubstitute = nullptr;
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_SUPPORT_OPTIONS_H
