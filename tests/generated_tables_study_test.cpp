// SPDX-License-Identifier: BSD-3-Clause
// Tables of random databases: every file passes its reader, and all answer alike.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/error.hpp"
#include "kernels/catalogue.hpp"
#include "libraries/mpich_compositions.hpp"
#include "libraries/openmpi_rules.hpp"
#include "tables/formats/emitter.hpp"
#include "tables/formats/mpich/testing.hpp"
#include "tables/formats/openmpi/testing.hpp"
#include "tuner/make_table.hpp"

namespace breakeven::formats {
namespace {

/// Measurements of one machine, all of chance.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_{seed}, library_{libraries_of()[seed % 4]} {}

  tables::Provenance provenance() {
    using namespace testing;
    return library_ == "4.0.2"   ? mpich_provenance()
           : library_ == "4.2.1" ? mpich_4_2_provenance()
                                 : openmpi_provenance(library_);
  }

  std::vector<Measurement> measurements() {
    const bool several_nodes = chance(0.5);
    std::vector<Measurement> all;
    for (const auto& [collective, name] : kCollectives.entries) {
      for (const CallForm form : {CallForm::blocking, CallForm::nonblocking}) {
        if (chance(0.6)) add_lines(collective, form, several_nodes, all);
      }
    }
    return all.empty() ? measurements() : all;
  }

  /// All collectives at each power of two up to 16,384, 64 processes on a node.
  std::vector<Measurement> of_a_cluster(std::span<const Mapping> mappings) {
    std::vector<Measurement> all;
    for (const auto& [collective, name] : kCollectives.entries) {
      const std::vector<std::string> candidates = candidates_of(collective, CallForm::blocking);
      for (int procs = 2; procs <= 16384; procs *= 2) {
        const int nodes = std::max(1, procs / 64);
        for (const Mapping& mapping : mappings) {
          if (nodes == 1 && mapping != Mapping::seq) continue;
          add_line({.collective = collective,
                    .procs = procs,
                    .nodes = nodes,
                    .procs_per_node = procs / nodes,
                    .mapping = mapping,
                    .op = reduces(collective) ? Op::sum : Op::none},
                   candidates, all);
        }
      }
    }
    return all;
  }

 private:
  inline static const std::vector<int> kAny{2, 3, 4, 5, 6, 7, 8, 12, 16};
  inline static const std::vector<int> kEven{4, 6, 8, 12, 16};
  inline static const std::vector<int> kOfACluster{64, 100, 512, 4096, 16384};
  static std::array<std::string, 4> libraries_of() { return {"4.0.2", "4.2.1", "4.1.4", "5.0.7"}; }

  bool chance(double of_one) { return std::bernoulli_distribution{of_one}(random_); }
  double between(double low, double high) {
    return std::exp(std::uniform_real_distribution{std::log(low), std::log(high)}(random_));
  }
  template <typename Value>
  std::vector<Value> some(const std::vector<Value>& values) {
    std::vector<Value> chosen;
    std::ranges::copy_if(values, std::back_inserter(chosen), [&](auto) { return chance(0.4); });
    if (chosen.empty()) chosen.push_back(values.front());
    return chosen;
  }

  /// Native, and some of the library's and of ours with some of their parameters.
  std::vector<std::string> candidates_of(Collective collective, CallForm form) {
    std::vector<std::string> names;
    for (const libraries::KnownLibrary& library : libraries::known_libraries()) {
      const bool mpich = library_ == "4.0.2" || library_ == "4.2.1";
      if ((library.name == "mpich") != mpich) continue;
      for (const libraries::LibraryAlgorithm& each : library.of(form)) {
        if (each.collective != collective || !has(library.name, each, form)) continue;
        const Case what{.collective = collective,
                        .form = form,
                        .variant = LibraryOwn{std::string{library.name}, std::string{each.name}}};
        for (const std::string& params : libraries::library_variants(what)) {
          names.push_back(to_text(what.variant.with_params(params)));
        }
      }
    }
    for (const kernels::Algorithm* each : kernels::catalogue(collective)) {
      names.emplace_back(each->name);
    }
    std::vector<std::string> chosen;
    std::ranges::sample(names, std::back_inserter(chosen), 6, random_);
    chosen.emplace_back(kNative);
    return chosen;
  }

  /// Whether this version has it.
  bool has(std::string_view library, const libraries::LibraryAlgorithm& each, CallForm form) const {
    if (library == "mpich") {
      const auto series = library_ == "4.0.2" ? mpich::Series::v4_0 : mpich::Series::v4_2;
      if (libraries::mpich::is_composition(each.name)) return series == mpich::Series::v4_2;
      return mpich::find_leaf(call_name(each.collective, form), each.name, series).has_value();
    }
    const int major = library_.front() - '0';
    return each.is_in(major) && (major >= libraries::openmpi::kFirstMajorWithHan ||
                                 !libraries::openmpi::is_han(each.name));
  }

  /// All problems of a collective in one form.
  void add_lines(Collective collective, CallForm form, bool several_nodes,
                 std::vector<Measurement>& all) {
    const std::vector<std::string> candidates = candidates_of(collective, form);
    const bool both_mappings = several_nodes && chance(0.4);
    for (const int procs : some(chance(0.3) ? kOfACluster : several_nodes ? kEven : kAny)) {
      for (const Mapping& mapping : {Mapping::seq, Mapping::rr}) {
        if (mapping == Mapping::rr && !both_mappings) continue;
        add_line({.collective = collective,
                  .form = form,
                  .procs = procs,
                  .nodes = several_nodes ? 2 : 1,
                  .procs_per_node = several_nodes ? procs / 2 : procs,
                  .mapping = mapping,
                  .op = reduces(collective) ? Op::sum : Op::none},
                 candidates, all);
      }
    }
  }

  /// All sizes of one problem; each candidate takes a latency, and its time for each byte.
  void add_line(Case problem, const std::vector<std::string>& candidates,
                std::vector<Measurement>& all) {
    std::vector<std::int64_t> sizes{0};
    if (moves_data(problem.collective)) {
      sizes.clear();
      for (std::int64_t size = 4; size <= 4 << 20; size *= 4) sizes.push_back(size);
      sizes = some(sizes);
    }
    for (const std::string& candidate : candidates) {
      const double latency_s = between(1e-6, 4e-6);
      const double byte_s = between(1e-10, 4e-9);
      for (const std::int64_t size : sizes) {
        for (const Counts counts : {Counts::equal, Counts::linear}) {
          if (counts != Counts::equal && !irregular(problem.collective)) continue;
          Case what = with_variant(problem, Variant::parse(candidate));
          what.message = {size};
          what.counts = counts;
          if (cannot_run(what) || chance(0.1)) continue;
          for (int repeat = 0; repeat < 3; ++repeat) {
            const Seconds time{(latency_s + byte_s * static_cast<double>(size)) *
                               between(0.97, 1.03)};
            all.push_back({.what = what,
                           .launch = what.procs * 10 + repeat,
                           .repeat = repeat,
                           .samples = 10,
                           .median = time,
                           .low = time,
                           .high = time});
          }
        }
      }
    }
  }

  static bool cannot_run(const Case& what) {
    if (what.variant.is<Native>()) return false;
    if (what.variant.is<LibraryOwn>()) return libraries::refusal(what).has_value();
    return !kernels::find_algorithm(what.collective, what.variant.algorithm())
                .requirement.met(what.procs);
  }

  std::mt19937_64 random_;
  std::string library_;
};

/// Whether the file says that it answers otherwise for calls of this kind.
bool degraded_for(const Emitted& emitted, const Case& problem) {
  return std::ranges::any_of(emitted.degraded, [&](const std::string& line) {
    return line.find(call_name(problem.collective, problem.form)) != std::string::npos;
  });
}

/// The answer that a file of the format gives where the table has this choice and none is lost.
std::string wanted_of(const Emitter& emitter, const std::string& choice) {
  const auto has = [&](std::string_view word) { return choice.find(word) != std::string::npos; };
  if (emitter.name == "mpich_ch4_json" && choice != kNative && !has("composition_")) {
    return "mpich:flat";
  }
  if (emitter.name == "openmpi_han_rules" && choice != kNative && !has("han_")) {
    return "openmpi:tuned";  // the other file says by which algorithm
  }
  const bool of_other_file = (has("composition_") && emitter.name == "mpich_json") ||
                             (has("han_") && emitter.name == "openmpi_rules");
  return of_other_file ? std::string{kNative} : choice;
}

/// Whether the format has choices for calls in this form.
bool has_form(const Emitter& emitter, CallForm form) {
  const bool blocking = form == CallForm::blocking;
  if (emitter.name == "openmpi_params") return !blocking;
  return blocking || emitter.name == "mpich_json" || emitter.name == "mpich_cvars" ||
         emitter.library.empty();
}

/// The p of a rule, and others around it.
std::set<int> procs_around(int measured) {
  return {measured,         measured + 1,     std::max(1, measured - 1),
          measured * 5 / 4, measured * 4 / 5, measured * 3 / 2,
          2 * measured};
}

/// Whether a tree leaves a call without data to the library, for what its algorithm demands.
bool empty_is_left_out(const Emitter& emitter, const Case& problem, const std::string& choice) {
  if (emitter.name != "mpich_json" || problem.message.value > 0) return false;
  const auto* const algorithm =
      libraries::find_library_algorithm(with_variant(problem, Variant::parse(choice)));
  return algorithm != nullptr && algorithm->demands(libraries::Demand::not_empty);
}

/// Reads a file back, and compares its answers with the table's on a dense grid: at a measured p
/// they are the same, elsewhere where the file doesn't say that they are of a size nearby.
void check(const Emitter& emitter, const tables::Table& table, const tables::Provenance& provenance,
           const Emitted& emitted) {
  const ReadTable read = emitter.read(emitted.text);
  ASSERT_TRUE(read.faults.empty()) << emitter.name << ": " << testing::text_of(read);
  const bool han = emitter.name == "openmpi_han_rules";
  const Emitted tuned = han ? find_emitter("openmpi_rules").emit(table, provenance) : Emitted{};
  const auto left_out = [&](const Case& problem) {
    return degraded_for(emitted, problem) || degraded_for(tuned, problem) ||
           (han && !libraries::openmpi::has_han(problem.collective));
  };
  int wrong = 0;
  const auto compare = [&](const Case& problem) {
    const std::string choice = tables::chosen_variant(table, problem);
    const std::string answer = to_text(read.answer(problem).variant);
    if (answer == (has_form(emitter, problem.form) ? wanted_of(emitter, choice) : kNative)) return;
    if (answer == kNative && (left_out(problem) || empty_is_left_out(emitter, problem, choice)))
      return;
    if (answer == "mpich:flat" && choice == kNative && testing::flat_anyway(provenance, problem)) {
      return;
    }
    if (emitted.approximate.contains(problem.collective)) {
      for (const std::string& each : testing::choices_nearby(table, problem)) {
        if (wanted_of(emitter, each) == answer) return;
      }
    }
    ++wrong;
    ADD_FAILURE() << emitter.name << ": " << to_text(problem) << ": " << answer << ", wanted "
                  << choice;
  };
  for (const tables::Rule& rule : table.rules) {
    Case problem = without_algorithm(rule.what);
    for (const int procs : procs_around(rule.what.procs)) {
      problem.procs = procs;
      const bool variables = emitter.name == "mpich_cvars" || emitter.name == "openmpi_params";
      // No p limits what variables say.
      if (procs <= problem.nodes || (variables && procs != rule.what.procs)) continue;
      for (std::int64_t bytes = 0; bytes <= 16 << 20; bytes += 4 + bytes / 4 / 4 * 4) {
        problem.message = {moves_data(problem.collective) ? bytes : 0};
        if (bytes * procs > std::numeric_limits<int>::max() || wrong > 3) break;
        compare(problem);
      }
    }
  }
}

/// @return how many files were compared
int expect_files_hold(unsigned seed) {
  int checked = 0;
  SCOPED_TRACE(fmt::format("database {}", seed));
  Generator generator{seed};
  tables::Provenance provenance = generator.provenance();
  const std::vector<Measurement> measurements = generator.measurements();
  for (const Emitter& emitter : emitters()) {
    if (!emitter.library.empty() && emitter.library != provenance.machine.name) continue;
    try {
      const tables::Table table = tuner::make_table(
          measurements,
          {.candidates = emitter.candidates, .allowed_unsafe = provenance.allowed_unsafe});
      check(emitter, table, provenance, emitter.emit(table, provenance));
      ++checked;
    } catch (const UsageError& error) {  // a format that can't say this table, as `tune` skips it
      const std::string_view why = error.what();
      EXPECT_TRUE(why.find("mapping") != why.npos || why.find("Open MPI") != why.npos ||
                  why.find("several nodes") != why.npos || why.find("of one") != why.npos ||
                  why.find("none was measured") != why.npos)
          << emitter.name << ": " << why;
    }
  }
  return checked;
}

/// The bytes of files that one process loads together.
std::size_t bytes_of(unsigned seed, std::span<const Mapping> mappings,
                     std::initializer_list<std::string_view> formats) {
  Generator generator{seed};
  const tables::Provenance provenance = generator.provenance();
  const tables::Table table = tuner::make_table(
      generator.of_a_cluster(mappings),
      {.candidates = tables::Candidates::library, .allowed_unsafe = provenance.allowed_unsafe});
  EXPECT_GT(table.rules.size(), 200U);
  std::size_t bytes = 0;
  for (const std::string_view format : formats) {
    bytes += emit_faultless(find_emitter(format), table, provenance).text.size();
  }
  return bytes;
}

TEST(GeneratedTables, OfAClusterAreSmall) {
  const std::array kBoth{Mapping::seq, Mapping::rr};
  EXPECT_LE(bytes_of(0, kBoth, {"mpich_json", "mpich_ch4_json"}), 256 << 10);
  EXPECT_LE(bytes_of(1, kBoth, {"mpich_json", "mpich_ch4_json"}), 256 << 10);
  EXPECT_LE(bytes_of(2, std::array{Mapping::seq}, {"openmpi_rules"}), 64 << 10);
  EXPECT_LE(bytes_of(3, std::array{Mapping::rr}, {"openmpi_rules", "openmpi_han_rules"}), 64 << 10);
}

TEST(GeneratedTables, PassTheirReadersAndAnswerAlike) {
  constexpr unsigned kDatabases = 40;  // ten of each library version
  int checked = 0;
  for (unsigned seed = 0; seed < kDatabases; ++seed) checked += expect_files_hold(seed);
  EXPECT_GE(checked, 5 * static_cast<int>(kDatabases));
}

}  // namespace
}  // namespace breakeven::formats
