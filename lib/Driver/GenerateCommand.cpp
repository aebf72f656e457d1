//===- GenerateCommand.cpp - kiln generate --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "DecoderBench.h"
#include "SessionOptions.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/Perplexity.h"
#include "kiln/Execution/ReadTime.h"
#include "kiln/Execution/Sampler.h"
#include "kiln/Support/Clock.h"
#include "lib/Driver/Support/Interrupt.h"
#include "lib/Driver/Support/Progress.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::execution;
using namespace llvm;

/// Stop reason of a text that the user interrupted.
static constexpr StringLiteral kInterrupt = "interrupt";

namespace {
struct GenerateSettings {
  std::string package;
  std::optional<std::string> prompt;
  std::vector<int64_t> promptIds;
  std::vector<std::string> stops;
  std::optional<double> temperature, topP, minP, penalty;
  uint64_t topK = 0, seed = 0, maxNew = 64, capacity = 0;
  SessionSettings session;
  std::string perplexity; ///< file with text
  bool json = false;
};

struct Generated {
  std::vector<int64_t> tokens; ///< generated tokens
  std::string text, stoppedBy;
  double prefillSeconds = 0, decodeSeconds = 0;
};
} // namespace

static Error parseIds(StringRef text, std::vector<int64_t> &out) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts)
    if (int64_t id; part.trim().getAsInteger(10, id) || id < 0)
      return usageError("kiln generate: --prompt-ids", "is no list of token ids",
                        "numbers from 0 on, separated by commas", "'" + part + "'",
                        "write for example 1,2,3");
    else
      out.push_back(id);
  return Error::success();
}

static void declareSampling(OptionTable &table, GenerateSettings &settings) {
  table.real("temperature", "T", "0: the most likely token (default)",
             settings.temperature, "0.8");
  table.number("top-k", "K", "choose among so many of the most likely tokens; 0: all", 0,
               ~uint64_t(0), settings.topK);
  table.real("top-p", "P", "choose among the fewest that have this much probability",
             settings.topP, "0.95");
  table.real("min-p", "P", "leave out what is less likely than this part of the best",
             settings.minP, "0.05");
  table.real("repetition-penalty", "R", "divides the logits of tokens that were there",
             settings.penalty, "1.1");
  table.number("seed", "S", "of the choice (default 0)", 0, ~uint64_t(0), settings.seed);
}

static Expected<OptionTable::Outcome> parseGenerate(Arguments arguments,
                                                    GenerateSettings &settings) {
  OptionTable table("generate", "M.kiln [options]",
                    "generate text, or tokens, with a decoder");
  table.positional("M.kiln", "the package, of a decoder with state", settings.package);
  table.value("prompt", "TEXT", "what to go on from, for a byte-level model",
              [&](StringRef text) -> Error {
                settings.prompt = text.str();
                return Error::success();
              });
  table.value("prompt-ids", "1,2,3", "the same as token ids, for any model",
              [&](StringRef text) { return parseIds(text, settings.promptIds); });
  table.number("max-new", "N", "tokens to generate (default 64)", 1, 1 << 24,
               settings.maxNew);
  declareSampling(table, settings);
  table.value(
      "stop", "TEXT", "end where this text comes, or, of other models, this token id",
      [&](StringRef text) -> Error {
        settings.stops.push_back(text.str());
        return Error::success();
      },
      /*repeat=*/true);
  table.number("capacity", "N", "tokens of prompt and text together (default 256)", 1,
               1 << 24, settings.capacity);
  table.text("perplexity", "FILE",
             "generate nothing: measure how well a byte-level model predicts this text",
             settings.perplexity);
  table.text("device", "NAME",
             "where to run: cpu (default), cuda, cuda:N, sim, sim:PROFILE",
             settings.session.device);
  table.number("threads,t", "N", "at most N threads (default: all)", 1, 4096,
               settings.session.threads);
  declareRanks(table, settings.session);
  declareTimeout(table, settings.session);
  table.text("expect", "SHA256", "refuse a package whose sha256sum is another",
             settings.session.expect);
  table.flag("json", "print JSON", settings.json);
  table.epilog(
      "A byte-level model has 256 tokens: its text goes to stdout as it comes. "
      "Of any\n"
      "other model the token ids are printed. What was measured goes to stderr.\n"
      "--perplexity cuts the text into windows of --capacity bytes, each "
      "without what was\nbefore it.\n");
  return table.parse(arguments);
}

static Error checkRange(const char *option, double value, double lo, double hi,
                        const char *expected) {
  if (value >= lo && value <= hi)
    return Error::success();
  std::string found;
  raw_string_ostream(found) << format("%g", value);
  return usageError(Twine("kiln generate: --") + option, "is out of range", expected,
                    found, "choose a number in this range");
}

static Expected<SamplingOptions> samplingOf(const GenerateSettings &settings) {
  SamplingOptions options{settings.temperature.value_or(0), settings.topK,
                          settings.topP.value_or(1),        settings.minP.value_or(0),
                          settings.penalty.value_or(1),     settings.seed};
  if (Error error = checkRange("temperature", options.temperature, 0, 1e6, "0 to 1e6"))
    return std::move(error);
  if (Error error = checkRange("top-p", options.topP, 1e-9, 1, "more than 0, up to 1"))
    return std::move(error);
  if (Error error = checkRange("min-p", options.minP, 0, 1, "0 to 1"))
    return std::move(error);
  if (Error error = checkRange("repetition-penalty", options.repetitionPenalty, 1e-3, 1e3,
                               "0.001 to 1000"))
    return std::move(error);
  return options;
}

static Expected<std::vector<int64_t>> promptOf(const GenerateSettings &settings) {
  if (settings.prompt && !settings.promptIds.empty())
    return usageError("kiln generate", "two prompts are given",
                      "--prompt or --prompt-ids", "both", "leave one of them out");
  std::vector<int64_t> tokens = settings.promptIds;
  for (unsigned char c : settings.prompt.value_or(""))
    tokens.push_back(c);
  if (tokens.empty())
    return usageError("kiln generate", "the prompt is empty", "at least one token",
                      "none", "add --prompt TEXT or --prompt-ids 1,2,3");
  return tokens;
}

/// Returns the --stop that the generated text ends with or, for a model that is not
/// byte-level, that is the last token.
static StringRef stopOf(const GenerateSettings &settings, const Generated &result,
                        bool isBytes) {
  for (const std::string &stop : settings.stops) {
    int64_t id = 0;
    bool isEnd =
        isBytes ? StringRef(result.text).ends_with(stop)
                : !StringRef(stop).getAsInteger(10, id) && id == result.tokens.back();
    if (isEnd)
      return stop;
  }
  return "";
}

/// Checks the options that only a byte-level model (a vocabulary of 256) can have, and
/// that stops are texts for such a model and token ids for others.
static Error checkTokens(const GenerateSettings &settings, const Generator &generator) {
  bool isBytes = generator.vocabulary() == kByteVocabulary;
  auto vocabulary = std::to_string(generator.vocabulary()) + " tokens";
  if (settings.prompt && !isBytes)
    return usageError("kiln generate: --prompt", "the model is not byte-level",
                      "a vocabulary of 256", vocabulary,
                      "give --prompt-ids, or use a tokenizer in Python");
  for (const std::string &stop : settings.stops) {
    uint64_t id = 0;
    bool isId = !StringRef(stop).getAsInteger(10, id) && id < generator.vocabulary();
    if (isBytes ? stop.empty() : !isId)
      return usageError("kiln generate: --stop",
                        isBytes ? "the text is empty" : "is none of the model's tokens",
                        isBytes ? "some text" : "a token id below " + vocabulary,
                        "'" + stop + "'", "correct it, or leave it out");
  }
  return Error::success();
}

/// Prints each token as soon as it is known; if generation ends early, by an interrupt
/// after the current token, the tokens so far are kept.
static Error generate(const GenerateSettings &settings, Generator &generator,
                      Sampler &sampler, ArrayRef<int64_t> prompt,
                      const InterruptWatch &watch, Generated &result) {
  bool isBytes = generator.vocabulary() == kByteVocabulary;
  KILN_CHECK(checkTokens(settings, generator));
  double begin = now();
  Expected<ArrayRef<float>> logits = generator.append(prompt);
  if (!logits)
    return logits.takeError();
  result.prefillSeconds = now() - begin;
  std::vector<int64_t> history(prompt);
  uint64_t room = generator.capacity() - generator.length();
  for (uint64_t i = 0; i < settings.maxNew; ++i) {
    Expected<int64_t> token = sampler.next(*logits, history);
    if (!token)
      return token.takeError();
    result.tokens.push_back(*token);
    history.push_back(*token);
    if (isBytes)
      result.text += static_cast<char>(*token);
    if (!settings.json) {
      if (isBytes)
        outs() << result.text.back();
      else
        outs() << (i ? "," : "") << *token;
      outs().flush();
    }
    if (StringRef stop = stopOf(settings, result, isBytes); !stop.empty()) {
      result.stoppedBy = stop.str();
      break;
    }
    Expected<bool> isOver = generator.runner().agree(watch.isInterrupted());
    if (!isOver)
      return isOver.takeError();
    if (*isOver) {
      result.stoppedBy = kInterrupt.str();
      break;
    }
    if (i + 1 == settings.maxNew || i == room) {
      result.stoppedBy = i + 1 == settings.maxNew ? "" : "capacity";
      break;
    }
    begin = now();
    logits = generator.append(*token);
    if (!logits)
      return logits.takeError();
    result.decodeSeconds += now() - begin;
  }
  return Error::success();
}

static Error printJson(const Generated &result, double prefill, double decode,
                       uint64_t bytes, std::optional<double> bandwidth) {
  json::Array tokens(result.tokens);
  json::Object object{
      {"tokens", std::move(tokens)},
      {"text", json::fixUTF8(result.text)},
      {"stopped_by", result.stoppedBy},
      {"prefill_tokens_per_second", prefill},
      {"decode_tokens_per_second", decode},
      {"step_bytes", int64_t(bytes)},
      {"bandwidth_share", bandwidth ? json::Value(*bandwidth) : json::Value(nullptr)}};
  outs() << formatv("{0:2}", json::Value(std::move(object))) << '\n';
  return Error::success();
}

static Error printReport(const GenerateSettings &settings, const Generator &generator,
                         ArrayRef<int64_t> prompt, const Generated &result) {
  // The sequence grows with each step, so the bytes are those of the middle step.
  uint64_t length = prompt.size() + (result.tokens.size() + 1) / 2;
  Expected<uint64_t> bytes = generator.stepBytes(length);
  if (!bytes)
    return bytes.takeError();
  double steps = static_cast<double>(result.tokens.size()) - 1;
  double prefill = static_cast<double>(prompt.size()) / result.prefillSeconds;
  double decode = steps > 0 ? steps / result.decodeSeconds : 0;
  Expected<std::optional<double>> bandwidth = std::optional<double>();
  if (steps > 0 && !isQuiet() && result.stoppedBy != kInterrupt)
    bandwidth = shareOfBandwidth(generator, length, 1 / decode);
  if (!bandwidth)
    return bandwidth.takeError();
  if (settings.json)
    return printJson(result, prefill, decode, *bytes, *bandwidth);
  outs() << '\n';
  // Flushed before output on stderr.
  outs().flush();
  if (isQuiet())
    return Error::success();
  errs() << "prefill " << prompt.size() << " tokens, " << format("%.0f", prefill)
         << " tokens/s; decode " << result.tokens.size() << " tokens";
  if (steps > 0)
    errs() << format(", %.0f tokens/s, %.1f GB/s", decode,
                     decode * static_cast<double>(*bytes) * 1e-9);
  if (*bandwidth)
    errs() << " (" << describeBandwidth(**bandwidth) << ')';
  if (result.stoppedBy == "capacity")
    errs() << "; the capacity is used up";
  errs() << (result.stoppedBy == kInterrupt ? "; interrupted\n" : "\n");
  return Error::success();
}

static Error printPerplexity(const GenerateSettings &settings, Generator &generator) {
  if (generator.vocabulary() != kByteVocabulary)
    return usageError("kiln generate: --perplexity", "the model is not byte-level",
                      "a vocabulary of 256",
                      std::to_string(generator.vocabulary()) + " tokens",
                      "measure it in Python, with a tokenizer");
  auto file = MemoryBuffer::getFile(settings.perplexity);
  if (!file)
    return makeError({ErrorCode::FileNotFound, settings.perplexity, "cannot be opened",
                      "a file with text", file.getError().message(), "check the path"});
  StringRef bytes = (*file)->getBuffer();
  std::vector<int64_t> tokens(bytes.bytes_begin(), bytes.bytes_end());
  double begin = now();
  Progress progress(/*always=*/false);
  Expected<Perplexity> found = measurePerplexity(generator, tokens, [&](size_t token) {
    progress.begin("token " + std::to_string(token) + " of " +
                   std::to_string(tokens.size()));
  });
  if (!found)
    return found.takeError();
  double seconds = now() - begin;
  if (settings.json)
    outs() << formatv("{0:2}",
                      json::Value(json::Object{{"tokens", found->tokens},
                                               {"bits_per_token", found->bits},
                                               {"perplexity", found->perplexity()},
                                               {"seconds", seconds}}))
           << '\n';
  else
    text() << format("perplexity %.6f (%.6f bits) over ", found->perplexity(),
                     found->bits)
           << found->tokens << " tokens in " << formatSeconds(seconds) << '\n';
  return Error::success();
}

/// Prints the memory of weights, states and activations on all ranks, before the first
/// run.
static Error printMemory(const GenerateSettings &settings, kiln_model *model,
                         const Generator &generator) {
  uint64_t total = 0;
  uint64_t ranks = generator.runner().rankCount();
  for (size_t i = 0; i < kiln_model_arena_count(model); ++i) {
    kiln_arena_usage usage;
    KILN_CHECK(toError(kiln_session_arena(generator.runner().session(), i, &usage)));
    total += usage.kind == KILN_ARENA_WEIGHTS ? kiln_model_arena(model, i)->max_bytes
                                              : usage.capacity * ranks;
  }
  if (!settings.json && !isQuiet())
    errs() << "memory " << formatBytes(total) << " for " << generator.capacity()
           << " tokens\n";
  return Error::success();
}

static Expected<int> runAndReport(GenerateSettings &settings) {
  Expected<SamplingOptions> sampling = samplingOf(settings);
  if (!sampling)
    return sampling.takeError();
  std::vector<int64_t> prompt;
  if (settings.perplexity.empty()) {
    Expected<std::vector<int64_t>> given = promptOf(settings);
    if (!given)
      return given.takeError();
    prompt = std::move(*given);
  }
  Expected<Model> model = loadModel(settings.package, settings.session.modelOptions());
  if (!model)
    return model.takeError();
  Expected<Generator> generator =
      Generator::create(model->get(), settings.session, settings.capacity);
  if (!generator)
    return generator.takeError();
  KILN_CHECK(printMemory(settings, model->get(), *generator));
  if (!settings.perplexity.empty()) {
    KILN_CHECK(printPerplexity(settings, *generator));
    return 0;
  }
  Sampler sampler(*sampling);
  InterruptWatch watch;
  Generated result;
  KILN_CHECK(generate(settings, *generator, sampler, prompt, watch, result));
  if (generator->runner().isFirst())
    KILN_CHECK(printReport(settings, *generator, prompt, result));
  constexpr int kExitInterrupted = 130; // 128 plus the signal, as shells define it
  return result.stoppedBy == kInterrupt ? kExitInterrupted : 0;
}

int driver::runGenerate(Arguments arguments) {
  return runCommand(arguments, parseGenerate, runAndReport);
}
