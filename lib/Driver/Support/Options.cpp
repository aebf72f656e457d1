//===- Options.cpp - Command lines ----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

OptionTable::OptionTable(StringRef command, StringRef synopsis, StringRef summary)
    : command(command), synopsis(synopsis), summary(summary) {}

std::string OptionTable::Option::spelled() const {
  std::string text = shortName.empty() ? "" : "-" + shortName + ", ";
  text += "--" + longName;
  if (kind == Kind::OptionalValue)
    text += "[=" + metavar.str() + "]";
  else if (kind == Kind::Value)
    text += " " + metavar.str();
  return text;
}

void OptionTable::add(StringRef names, StringRef metavar, StringRef help, Kind kind,
                      bool repeat, Store store) {
  auto [longName, shortName] = names.split(',');
  options.push_back(
      {longName.str(), shortName.str(), metavar, help, kind, repeat, std::move(store)});
}

void OptionTable::flag(StringRef names, StringRef help, bool &out) {
  add(names, "", help, Kind::Flag, false, [&out](StringRef) {
    out = true;
    return Error::success();
  });
}

void OptionTable::flag(StringRef names, StringRef help, Store store) {
  add(names, "", help, Kind::Flag, false, std::move(store));
}

void OptionTable::text(StringRef names, StringRef metavar, StringRef help,
                       std::string &out) {
  add(names, metavar, help, Kind::Value, false, [&out](StringRef text) {
    out = text.str();
    return Error::success();
  });
}

void OptionTable::number(StringRef names, StringRef metavar, StringRef help, uint64_t lo,
                         uint64_t hi, uint64_t &out) {
  std::string place = where() + ": --" + names.split(',').first.str();
  add(names, metavar, help, Kind::Value, false, [=, &out](StringRef text) -> Error {
    uint64_t value;
    if (text.getAsInteger(10, value) || value < lo || value > hi)
      return usageError(place, "is not a number it takes",
                        "a whole number from " + Twine(lo) + " to " + Twine(hi),
                        "'" + text + "'", "give a number in this range");
    out = value;
    return Error::success();
  });
}

void OptionTable::real(StringRef names, StringRef metavar, StringRef help,
                       std::optional<double> &out, StringRef example) {
  std::string place = where() + ": --" + names.split(',').first.str();
  std::string fix = ("write for example " + example).str();
  add(names, metavar, help, Kind::Value, false, [=, &out](StringRef text) -> Error {
    double value;
    if (text.getAsDouble(value) || !(value >= 0))
      return usageError(place, "is not a number it takes", "a number of at least 0",
                        "'" + text + "'", fix);
    out = value;
    return Error::success();
  });
}

void OptionTable::value(StringRef names, StringRef metavar, StringRef help, Store store,
                        bool repeat) {
  add(names, metavar, help, Kind::Value, repeat, std::move(store));
}

void OptionTable::optionalValue(StringRef names, StringRef metavar, StringRef help,
                                Store store) {
  add(names, metavar, help, Kind::OptionalValue, false, std::move(store));
}

void OptionTable::positional(StringRef metavar, StringRef help, std::string &out,
                             const bool *substitute) {
  positionalName = metavar;
  positionalHelp = help;
  positionalOut = &out;
  positionalSubstitute = substitute;
}

std::string OptionTable::helpHint() const {
  return "kiln " + command + " --help lists the options";
}

OptionTable::Option *OptionTable::find(StringRef name, bool isLong) {
  for (Option &option : options)
    if ((isLong ? option.longName : option.shortName) == name && !name.empty())
      return &option;
  return nullptr;
}

Error OptionTable::unknown(StringRef argument) const {
  StringRef name = argument.ltrim('-').split('=').first;
  const Option *nearest = nullptr;
  unsigned best = 3;
  for (const Option &option : options) {
    unsigned distance = name.edit_distance(option.longName);
    if (distance < best ||
        (name.size() > 2 && StringRef(option.longName).starts_with(name))) {
      best = std::min(distance, best);
      nearest = &option;
    }
  }
  std::string fix = nearest ? "did you mean --" + nearest->longName + "? " : "";
  return usageError(where(), "unknown option", "an option of this command",
                    "'" + argument + "'", fix + helpHint());
}

std::vector<std::string> OptionTable::given() const {
  std::vector<std::string> names;
  for (const Option &option : options)
    if (option.seen)
      names.push_back(option.longName);
  return names;
}

Error OptionTable::apply(Option &option, std::optional<StringRef> attached,
                         Arguments &rest) {
  std::string place = where() + ": --" + option.longName;
  if (option.seen && !option.repeat)
    return usageError(place, "is given twice", "it once", "it again", "leave one out");
  option.seen = true;
  if (option.kind == Kind::Flag && attached)
    return usageError(place, "takes no value", "--" + option.longName,
                      "'=" + *attached + "'", "leave the value out");
  if (option.kind == Kind::Value && !attached) {
    if (rest.empty())
      return usageError(place, "needs a value", option.metavar, "the end of the line",
                        helpHint());
    attached = rest.consume_front();
  }
  return option.store(attached.value_or(""));
}

Error OptionTable::parseOption(StringRef argument, Arguments &rest) {
  bool isLong = argument.starts_with("--");
  StringRef body = argument.drop_front(isLong ? 2 : 1);
  auto [name, value] = body.split('=');
  std::optional<StringRef> attached;
  if (name.size() != body.size())
    attached = value;
  Option *option = find(name, isLong);
  return option ? apply(*option, attached, rest) : unknown(argument);
}

Error OptionTable::parsePositional(StringRef argument) {
  if (!positionalOut || !positionalOut->empty())
    return usageError(where(), "too many arguments", synopsis,
                      "'" + argument + "' as well", helpHint());
  *positionalOut = argument.str();
  return Error::success();
}

Error OptionTable::checkPositional() const {
  if (!positionalOut)
    return Error::success();
  bool isReplaced = positionalSubstitute && *positionalSubstitute;
  if (isReplaced && !positionalOut->empty())
    return usageError(where(), "an option stands in place of the argument", "one of both",
                      "'" + *positionalOut + "' as well", helpHint());
  if (isReplaced || !positionalOut->empty())
    return Error::success();
  return usageError(where(), "an argument is missing", positionalName, "none",
                    "kiln " + command + " " + synopsis);
}

static std::vector<OptionTable::Description> *descriptionSink = nullptr;

void OptionTable::describeTo(std::vector<Description> *sink) { descriptionSink = sink; }

void OptionTable::describe(std::vector<Description> &out) const {
  for (const Option &option : options)
    out.push_back({option.longName, option.shortName, join(split(option.help, "\n"), " "),
                   option.kind == Kind::Value, option.repeat});
  out.push_back({"help", "h", "this text", false, false});
}

Expected<OptionTable::Outcome> OptionTable::parse(Arguments arguments) {
  bool quiet = false;
  flag("quiet,q", "print errors, and what other options ask for, only", quiet);
  if (descriptionSink) {
    describe(*descriptionSink);
    return Outcome::HelpPrinted;
  }
  bool optionsEnded = false;
  while (!arguments.empty()) {
    StringRef argument = arguments.consume_front();
    bool isOption = !optionsEnded && argument.size() > 1 && argument[0] == '-';
    if (isOption && argument == "--") {
      optionsEnded = true;
      continue;
    }
    if (isOption && (argument == "--help" || argument == "-h")) {
      printHelp();
      return Outcome::HelpPrinted;
    }
    if (Error error =
            isOption ? parseOption(argument, arguments) : parsePositional(argument))
      return error;
  }
  if (Error error = checkPositional())
    return error;
  setQuiet(quiet);
  return Outcome::Proceed;
}

void OptionTable::printHelp() const {
  raw_ostream &os = outs();
  os << "kiln " << command << ": " << summary << "\n\nUsage: kiln " << command << ' '
     << synopsis << "\n\n";
  if (positionalOut)
    os << format("  %-34s ", positionalName.str().c_str()) << positionalHelp << '\n';
  for (const Option &option : options) {
    std::string left = option.spelled();
    os << format("  %-34s ", left.c_str());
    if (left.size() > 34)
      os << '\n' << std::string(37, ' ');
    // Further lines of a help text are aligned with its first.
    SmallVector<StringRef> lines;
    option.help.split(lines, '\n');
    os << join(lines, "\n" + std::string(37, ' ')) << '\n';
  }
  os << format("  %-34s ", "-h, --help") << "this text\n";
  if (!trailer.empty())
    os << '\n' << trailer;
}
