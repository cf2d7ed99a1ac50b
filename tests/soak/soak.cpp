// SPDX-License-Identifier: Apache-2.0
// The soak test: runs random drives under random commands and failures, and compares them with a reference model. See
// README.md.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/random.h"
#include "draw.h"
#include "minimise.h"
#include "sandbox.h"

namespace {

using namespace nandscape;
using namespace nandscape::soak;

constexpr const char* usage =
    "usage: soak [--seed N] [--operations N | --seconds N] [--keep FOLDER] [--episode-seconds N]\n"
    "       soak --episode SEED            one episode by its seed\n"
    "       soak --draw SEED               prints the sequence of an episode\n"
    "       soak --replay FILE...          replays kept sequences\n"
    "       soak --tell FILE               plays a sequence in this process, prints operations and answers\n"
    "       soak --minimise FILE           prints the smallest sequence found that fails in the same way\n"
    "  --operations  least number of operations (default: 100,000)\n"
    "  --seconds     least wall time\n"
    "  --keep        folder for failing sequences, minimised\n";

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t operations = 100'000;
  double seconds = 0;
  unsigned episode_seconds = 180;
  std::string keep;
  bool one = false;
  std::string minimise;
  std::optional<std::uint64_t> draw;
  std::string tell;
  std::vector<std::string> replay;
};

Options parse(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& argument = arguments[k];
    const auto value = [&]() -> const std::string& {
      if (k + 1 == arguments.size()) throw std::runtime_error(argument + " needs a value\n" + usage);
      return arguments[++k];
    };
    if (argument == "--seed") {
      options.seed = std::stoull(value());
    } else if (argument == "--operations") {
      options.operations = std::stoull(value());
    } else if (argument == "--seconds") {
      options.seconds = std::stod(value());
    } else if (argument == "--keep") {
      options.keep = value();
    } else if (argument == "--episode-seconds") {
      options.episode_seconds = static_cast<unsigned>(std::stoul(value()));
    } else if (argument == "--episode") {
      options.seed = std::stoull(value());
      options.one = true;
    } else if (argument == "--minimise") {
      options.minimise = value();
    } else if (argument == "--draw") {
      options.draw = std::stoull(value());
    } else if (argument == "--tell") {
      options.tell = value();
    } else if (argument == "--replay") {
      while (k + 1 < arguments.size()) options.replay.push_back(arguments[++k]);
    } else {
      throw std::runtime_error("what is '" + argument + "'?\n" + usage);
    }
  }
  return options;
}

// Returns the part of the description before the first digit. Failures with the same part count as the same failure.
std::string manner(const std::string& failure) { return failure.substr(0, failure.find_first_of("0123456789")); }

Sequence load(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + " cannot be read");
  try {
    return parse_sequence(file);
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

Sequence make_small(const Sequence& sequence, const std::string& failure, unsigned longest_s) {
  constexpr unsigned most_trials = 3000;
  const auto fails = [&](const Sequence& candidate) {
    const Outcome outcome = play_apart(candidate, longest_s);
    return !outcome.refused && manner(outcome.failure) == manner(failure);
  };
  return minimised(sequence, fails, most_trials);
}

class Soak {
 public:
  explicit Soak(const Options& options) : options_(options) {}

  int run() {
    const Clock::time_point begin = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    if (!options_.one) std::printf("seed %llu\n", count(options_.seed));
    RandomStream seeds(options_.seed, "episodes");
    while (options_.one           ? episodes_ == 0
           : options_.seconds > 0 ? elapsed() < options_.seconds
                                  : operations_ < options_.operations) {
      episode(options_.one ? options_.seed : seeds() >> 16);
    }
    std::printf(
        "%llu operations in %llu episodes, %llu with invalid combinations of settings; %.1f s; "
        "longest command %.3f s of simulated time, nearest to its bound %.0f %%; %llu failures\n",
        count(operations_), count(episodes_), count(refused_), elapsed(), longest_s_, 100 * most_of_bound_,
        count(failures_));
    return failures_ == 0 ? 0 : 1;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static unsigned long long count(std::uint64_t value) { return value; }

  void episode(std::uint64_t seed) {
    ++episodes_;
    const Sequence sequence = draw_sequence(seed);
    Outcome outcome = play_apart(sequence, options_.episode_seconds);
    operations_ += outcome.operations;
    longest_s_ = std::max(longest_s_, outcome.longest_s);
    most_of_bound_ = std::max(most_of_bound_, outcome.most_of_bound);
    if (outcome.refused) {
      ++refused_;
      if (options_.one) std::printf("%s\n", outcome.failure.c_str());
      return;
    }
    // One in eight episodes is run a second time, and must give the same result.
    constexpr std::uint64_t once_in = 8;
    if (outcome.failure.empty() && (options_.one || episodes_ % once_in == 0)) {
      const Outcome again = play_apart(sequence, options_.episode_seconds);
      operations_ += again.operations;
      if (!again.failure.empty() || again.digest != outcome.digest) {
        outcome.failure = "repeat: a second run of the same seed differs; " + again.failure;
      }
    }
    if (!outcome.failure.empty()) failed(seed, sequence, outcome.failure);
  }

  void failed(std::uint64_t seed, const Sequence& sequence, const std::string& failure) {
    ++failures_;
    std::printf("episode %llu: %s\n", count(seed), failure.c_str());
    std::fflush(stdout);
    if (options_.keep.empty()) return;
    const Sequence small = make_small(sequence, failure, 10);
    const std::string path = options_.keep + "/" + std::to_string(seed) + ".soak";
    std::ofstream file(path);
    file << "# " << failure << "\n" << small.text();
    std::printf("  %zu operations and %zu settings are left, in %s\n", small.operations.size(), small.settings.size(),
                path.c_str());
    std::fflush(stdout);
  }

  const Options options_;
  std::uint64_t operations_ = 0, episodes_ = 0, refused_ = 0, failures_ = 0;
  double longest_s_ = 0, most_of_bound_ = 0;
};

int replay(const Options& options) {
  int status = 0;
  for (const std::string& path : options.replay) {
    const Outcome outcome = play_apart(load(path), options.episode_seconds);
    if (outcome.failure.empty()) continue;
    std::printf("%s: %s\n", path.c_str(), outcome.failure.c_str());
    status = 1;
  }
  return status;
}

int minimise(const Options& options) {
  const Sequence sequence = load(options.minimise);
  const std::string failure = play_apart(sequence, options.episode_seconds).failure;
  if (failure.empty()) throw std::runtime_error(options.minimise + " does not fail");
  const Sequence small = make_small(sequence, failure, options.episode_seconds);
  std::printf("# %s\n%s", failure.c_str(), small.text().c_str());
  return 0;
}

int tell(const Options& options) {
  const Outcome outcome = play(load(options.tell), true);
  std::printf("%s\n", outcome.failure.empty() ? "nothing was wrong" : outcome.failure.c_str());
  return outcome.failure.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse({argv + 1, argv + argc});
    if (!options.minimise.empty()) return minimise(options);
    if (!options.tell.empty()) return tell(options);
    if (options.draw) {
      std::printf("%s", draw_sequence(*options.draw).text().c_str());
      return 0;
    }
    if (!options.replay.empty()) return replay(options);
    return Soak(options).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "soak: %s\n", error.what());
    return 2;
  }
}
