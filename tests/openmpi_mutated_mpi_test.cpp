// SPDX-License-Identifier: BSD-3-Clause
// Files of rules with errors in them: Open MPI's own readers drop those in which ours find faults,
// and take from the others the same rules.
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/temporary_folder.hpp"
#include "executor/mpi_types.hpp"
#include "harness/worker/openmpi/rules_lookup.hpp"
#include "libraries/openmpi_rules.hpp"
#include "tables/formats/openmpi/han_rules.hpp"
#include "tables/formats/openmpi/json.hpp"
#include "tables/formats/openmpi/rules.hpp"
#include "tables/formats/openmpi/testing.hpp"
#include "tests/mutated_files.hpp"

namespace breakeven {
namespace {

namespace fs = std::filesystem;
using testing::Comparison;
using testing::Mutator;
using testing::Random;

constexpr int kFiles = 1600;
constexpr int kLeast = 160;

/// Named to the library before it starts, and written anew for each file.
const fs::path kHanFile = [] {
  fs::path file = fs::temp_directory_path() / ("mutated_han." + std::to_string(getpid()));
  setenv("OMPI_MCA_coll_han_use_dynamic_file_rules", "1", 1);
  setenv("OMPI_MCA_coll_han_dynamic_rules_filename", file.c_str(), 1);
  setenv("OMPI_MCA_coll_han_verbose", "5", 1);
  return file;
}();

libraries::openmpi::Version version() {
  return libraries::openmpi::parse_version(executor::library_version()).value();
}
std::string version_text() {
  return fmt::format("{}.{}.{}", version().major, version().minor, version().release);
}
/// Names the version to our readers; it may stand anywhere.
std::string head() { return fmt::format("\n# library    Open MPI v{}, mutated\n", version_text()); }

std::string without_comments(const std::string& text) {
  std::istringstream lines{text};
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) kept += line + '\n';
  }
  return kept;
}

/// The parts of a small file of rules, each in a form that the library reads.
class Writer {
 public:
  explicit Writer(Random& random) : random_{random} {}

  std::string tuned() {
    std::string text;
    const int collectives = random_.from(0, 3);
    text += number(collectives);
    for (int i = 0; i < collectives; ++i) {
      text += number(random_.once_in(3) ? random_.from(0, 21) : random_.of(kUsual));
      rules(text, 2, [&](int from) {
        text += number(from);
        rules(text, 0, [&](int bytes) {
          text += fmt::format("{} {} {} {}", bytes, random_.from(0, 7), random_.from(0, 4),
                              random_.from(0, 1) * 1024);
          if (random_.once_in(8)) text += fmt::format(" {}", random_.from(0, 9));
          text += end();
        });
      });
    }
    return text;
  }

  std::string han() {
    std::string text;
    const int collectives = random_.from(1, 3);
    text += number(collectives);
    for (int i = 0; i < collectives; ++i) {
      text += random_.of(kHanCollectives);
      text += end();
      const int levels = random_.once_in(4) ? 2 : 1;
      text += number(levels);
      for (int level = 0; level < levels; ++level) {
        const int of = random_.once_in(4) ? random_.from(0, 1) : 2;
        text += random_.once_in(4) ? fmt::format("{}\n", kLevels.at(static_cast<std::size_t>(of)))
                                   : number(of);
        rules(text, 1, [&](int from) {
          text += number(from);
          rules(text, 0, [&](int bytes) {
            text += fmt::format("{} {}", bytes, of == 2 ? random_.of(kComponents) : "tuned");
            if (random_.once_in(6)) text += " [1024 512]";
            text += end();
          });
        });
      }
    }
    return text;
  }

  std::string json() {
    std::string text = "{\"module\": \"tuned\", \"collectives\": {";
    const int collectives = random_.from(0, 3);
    for (int i = 0; i < collectives; ++i) {
      text += fmt::format("{}\n\"{}\": [", i == 0 ? "" : ",", random_.of(kJsonCollectives));
      list(text, [&] {
        text += "{";
        if (!random_.once_in(3)) text += fmt::format("\"comm_size_min\": {}, ", random_.from(0, 9));
        if (!random_.once_in(3))
          text += fmt::format("\"comm_size_max\": {}, ", random_.from(9, 50));
        if (random_.once_in(4)) text += "\"comm_rank_distribution\": \"any\", ";
        text += "\"rules\": [";
        list(text, [&] {
          text += "{";
          if (!random_.once_in(3))
            text += fmt::format("\"msg_size_min\": {}, ", random_.from(0, 9));
          if (!random_.once_in(3)) text += fmt::format("\"msg_size_max\": {}, ", random_.of(kMost));
          if (random_.once_in(4)) text += fmt::format("\"seg_size\": {}, ", random_.from(0, 99));
          if (random_.once_in(4)) text += fmt::format("\"faninout\": {}, ", random_.from(0, 9));
          if (random_.once_in(4)) text += fmt::format("\"reqs\": {}, ", random_.from(0, 9));
          text += fmt::format("\"alg\": {}}}", random_.of(kAlgorithms));
        });
        text += "]}";
      });
      text += "]";
    }
    return text + "\n}}\n";
  }

 private:
  static constexpr std::array kJsonCollectives{"bcast",  "allreduce", "reduce",    "barrier",
                                               "gather", "scan",      "allgather", "alltoall"};
  static constexpr std::array kMost{"9", "1000", "\"inf\"", "70000"};
  static constexpr std::array kAlgorithms{
      "0", "1", "2", "\"linear\"", "\"2\"", "\"ignore\"", "\"recursive_doubling\""};

  template <typename Write>
  void list(std::string& text, const Write& write) {
    const int count = random_.once_in(6) ? 0 : random_.from(1, 3);
    for (int i = 0; i < count; ++i) {
      text += i == 0 ? "" : ",\n";
      write();
    }
    if (count > 0 && random_.once_in(9)) text += ",";
  }

  static constexpr std::array kUsual{2, 2, 7, 11, 6, 0, 3};
  static constexpr std::array<const char*, 10> kHanCollectives{
      "bcast", "allreduce", "reduce", "barrier",    "gather",
      "7",     "scatter",   "scan",   "allgatherv", "neighbor_allgather"};
  static constexpr std::array<std::string_view, 3> kLevels{"intra_node", "inter_node",
                                                           "global_communicator"};
  static constexpr std::array<const char*, 7> kComponents{
      "tuned", "han", "basic", "han @intra", "han @simple", "han @ default", "han @1"};

  /// A count and so many keys that ascend from the first one on.
  template <typename Write>
  void rules(std::string& text, int first, const Write& write) {
    const int count = random_.once_in(6) ? 0 : random_.from(1, 3);
    text += number(count);
    for (int i = 0, key = first; i < count; ++i, key += random_.from(1, 70)) write(key);
  }
  std::string number(int value) { return fmt::format("{}{}", value, end()); }
  std::string end() {
    static constexpr std::array kEnds{"\n", "\n",           "\n",   " ",
                                      "\t", " # 4 words\n", "\r\n", "\n\n  "};
    return random_.of(kEnds);
  }

  Random& random_;
};

/// The library's choices for the calls below, in the order of the reader's.
std::vector<Case> problems() {
  std::vector<Case> all;
  for (const auto& [collective, name] : kCollectives.entries) {
    for (const int procs : {2, 3, 4, 8, 37, 100}) {
      for (const std::int64_t bytes : {0, 1, 8, 33, 1000, 70000}) {
        all.push_back({.collective = collective, .procs = procs, .message = {bytes}});
      }
    }
  }
  return all;
}

/// @return "" where the library does not load the file; "loaded", and its answers if it gives any
std::string tuned_says(const fs::path& file, std::span<const Case> asked) {
  const worker::RulesLookup rules = worker::RulesLookup::of_file(file);
  if (!rules.loaded()) return "";
  std::string said = "loaded";
  for (const Case& each : asked) {
    const worker::RulesLookup::Answer answer = rules.answer(each);
    said += fmt::format(" {} {} {}", answer.algorithm, answer.fanout, answer.segment_bytes);
  }
  return said;
}

/// Of an algorithm that a file names.
int number_of(const Case& what) {
  for (const ListedAlgorithm& each :
       formats::testing::openmpi_capabilities(version().major).algorithms) {
    if (each.collective == what.collective && each.name == what.variant.library()->name) {
      return each.value;
    }
  }
  return 0;
}

/// Whether the reader answers as the library did; parameters where the algorithm takes them.
bool alike(const std::string& said, std::span<const Case> asked, const formats::ReadTable& read) {
  std::istringstream words{said.substr(std::string_view{"loaded"}.size())};
  return std::ranges::all_of(asked, [&](const Case& problem) {
    worker::RulesLookup::Answer library;
    words >> library.algorithm >> library.fanout >> library.segment_bytes;
    const formats::Answer ours = read.answer(problem);
    if (ours.variant.is<Native>()) return library.algorithm == 0 || ours.line == 0;
    Case what = problem;
    what.variant = ours.variant;
    const libraries::openmpi::RuledAlgorithm rule = libraries::openmpi::ruled(what);
    return (ours.number == 0 ? number_of(what) : ours.number) == library.algorithm &&
           (rule.fanout == 0 || rule.fanout == std::max(library.fanout, 1)) &&
           (rule.segment_bytes == 0 || rule.segment_bytes == library.segment_bytes);
  });
}

TEST(OpenmpiMutated, CollTunedLoadsTheRulesInWhichTheReaderFindsNoFault) {
  if (version().major >= libraries::openmpi::kFirstMajorWithJson) {
    GTEST_SKIP() << "it moves communicator sizes by one entry";
  }
  const std::string whole = without_comments(
      formats::openmpi::emit_rules(formats::testing::openmpi_table(),
                                   formats::testing::openmpi_provenance(version_text()))
          .text);
  Mutator mutator{
      1,
      {"#", "# 7\n", "ring", "rule-file-version-2\n", "5 0 0", "- 4", "--4", "4x", "x4"},
      " \t\n"};
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "rules.conf";
  const std::vector<Case> asked = problems();
  Comparison comparison{{"a number after the last rule", "does not ascend", "has no algorithm",
                         "ends a program on other than 2 processes", "announces",
                         "a fifth number, for which", "which the library takes for -"}};
  for (int i = 0; i < kFiles; ++i) {
    std::string text = i % 8 == 0 ? whole : Writer{mutator.random}.tuned();
    if (mutator.random.once_in(6)) text = "rule-file-version-2\n" + text;
    text = mutator.changed(std::move(text), mutator.random.from(0, 2)) + head();
    std::ofstream(file) << text;
    const auto said = testing::said_by_child([&] { return tuned_says(file, asked); });
    const formats::ReadTable read = formats::openmpi::read_rules(text);
    const bool loaded = said && !said->empty();
    comparison.add(text, loaded, read);
    if (loaded && read.answer && !alike(*said, asked, read)) {
      comparison.differ(text, "another algorithm");
    }
  }
  comparison.expect_alike(kLeast);
}

TEST(OpenmpiMutated, CollHanLoadsTheRulesInWhichTheReaderFindsNoFault) {
  if (!libraries::openmpi::has_known_han(version())) GTEST_SKIP() << "no coll/han that is known";
  tables::Table table = formats::testing::openmpi_table();
  for (tables::Rule& rule : table.rules) rule.what.nodes = 2;
  const std::string whole = without_comments(
      formats::openmpi::emit_han_rules(table, formats::testing::openmpi_provenance("5.0.7")).text);
  Mutator mutator{2,
                  {"#", "# 7\n", "han", "tuned", "@", "@simple", "@2", "@reproducible", "[", "]",
                   "[ 5", "bcast", "alltoallwx", "neighbor_alltoall", "inter_node", "self",
                   "a_word_of_more_than_thirty_two_letters"},
                  " \t\n"};
  Comparison comparison{{"a word after the last rule", "does not ascend", "has rules twice",
                         "can't work within coll/han", "as Open MPI comes"}};
  for (int i = 0; i < kFiles; ++i) {
    const std::string text = mutator.changed(i % 8 == 0 ? whole : Writer{mutator.random}.han(),
                                             mutator.random.from(0, 2)) +
                             head();
    std::ofstream(kHanFile) << text;
    const auto said = testing::said_by_child(
        [] { return worker::han_rules_read() ? std::string{"loaded"} : std::string{}; });
    comparison.add(text, said && !said->empty(), formats::openmpi::read_han_rules(text));
  }
  fs::remove(kHanFile);
  comparison.expect_alike(kLeast);
}

// As declared in ompi/mca/coll/tuned/coll_tuned_dynamic_rules.h in the branch v6.0.x.
struct ProcsRules {
  int least;
  int most;
  int placing;
  int collective;
  int count;
  void* rules;
};
struct CollectiveRules {
  int collective;
  int count;
  ProcsRules* rules;
};

/// As tuned_says; the library looks up communicators alone, so that the first rule that holds for p
/// is found here.
std::string json_says(const fs::path& file, std::span<const Case> asked) {
  void* const object = worker::component_object("mca_coll_tuned");
  auto* const read = reinterpret_cast<int (*)(const char*, CollectiveRules**)>(
      dlsym(object, "ompi_coll_tuned_read_rules_config_file"));
  auto* const for_bytes =
      reinterpret_cast<int (*)(const ProcsRules*, std::size_t, int*, int*, int*)>(
          dlsym(object, "ompi_coll_tuned_get_target_method_params"));
  CollectiveRules* all = nullptr;
  if (read(file.c_str(), &all) != 0) return "";
  std::string said = "loaded";
  for (const Case& each : asked) {
    const CollectiveRules& rules = all[libraries::openmpi::rules_id(each.collective)];
    const std::span<const ProcsRules> list{rules.rules, static_cast<std::size_t>(rules.count)};
    const auto found = std::ranges::find_if(list, [&](const ProcsRules& procs) {
      return procs.placing != 1 && procs.least <= each.procs && each.procs <= procs.most;
    });
    worker::RulesLookup::Answer answer;
    int max_requests = 0;
    if (found != list.end()) {
      answer.algorithm =
          for_bytes(&*found, static_cast<std::size_t>(libraries::openmpi::rules_bytes(each)),
                    &answer.fanout, &answer.segment_bytes, &max_requests);
    }
    said += fmt::format(" {} {} {}", answer.algorithm, answer.fanout, answer.segment_bytes);
  }
  return said;
}

TEST(OpenmpiMutated, CollTunedLoadsTheJsonInWhichTheReaderFindsNoFault) {
  if (version().major < libraries::openmpi::kFirstMajorWithJson) GTEST_SKIP() << "no Open MPI 6";
  const std::string whole =
      formats::openmpi::emit_json(formats::testing::openmpi_table(version().major),
                                  formats::testing::openmpi_provenance(version_text()))
          .text;
  const std::string small = "{" + whole.substr(whole.find("\"rule_file_version\""));
  Mutator mutator{3,
                  {"\"inf\"",
                   "\"ring\"",
                   "null",
                   "true",
                   "{}",
                   "[]",
                   "\"alg\":",
                   "{",
                   "}",
                   "[",
                   "]",
                   ",",
                   "\"rules\": []",
                   "\"reqs\": -1,",
                   "/* 1 */",
                   "\"comm_size_max\"",
                   "\"\"",
                   "\"allgathervx\": [],",
                   "\"knomial\"",
                   "\"single-node\""},
                  " \t\n:,[]{}"};
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "rules.json";
  const std::vector<Case> asked = problems();
  Comparison comparison{{"no JSON from here on", "is no algorithm: the library ignores",
                         "without an algorithm", "a range that ends before it begins", "twice",
                         "for -1, so the rule never holds", "ends a program",
                         "hangs or does nothing", "to the library: below"}};
  for (int i = 0; i < kFiles; ++i) {
    const std::string text = mutator.changed(i % 8 == 0 ? small : Writer{mutator.random}.json(),
                                             mutator.random.from(0, 2));
    std::ofstream(file) << text;
    const auto said = testing::said_by_child([&] { return json_says(file, asked); });
    const formats::ReadTable read = formats::openmpi::read_json(text);
    const bool loaded = said && !said->empty();
    comparison.add(text, loaded, read);
    if (loaded && read.answer && !alike(*said, asked, read)) {
      comparison.differ(text, "another algorithm");
    }
  }
  comparison.expect_alike(kLeast);
}

}  // namespace
}  // namespace breakeven
