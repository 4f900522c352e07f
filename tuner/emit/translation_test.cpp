// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/translation.hpp"

#include <cstdlib>

#include "tuner/emit/intel_mpi.hpp"
#include "tuner/emit/testing.hpp"
#include "tuner/emit/ucc.hpp"

namespace breakeven {
namespace {

using testing::chosen;
using testing::finds;
using testing::library_rule;
using testing::line_with;
using testing::openmpi_provenance;
using testing::replaced;
using testing::text_of;

/// Of all candidates: ours, and two libraries'.
Table mixed_table() {
  using enum Collective;
  Table table = testing::library_table({
      library_rule(allgather, 2, 8, "bruck"),
      library_rule(allgather, 2, 4096, "openmpi:ring"),
      library_rule(allgather, 6, 8, "neighbor_exchange"),
      library_rule(allgather, 6, 1024, "native"),
      library_rule(allreduce, 4, 8, "recursive_doubling"),
      library_rule(allreduce, 4, 1024, "circulant"),
      library_rule(allreduce, 4, 65536, "halving_doubling"),
      library_rule(allreduce, 8, 8, "openmpi:recursive_doubling"),
      library_rule(allreduce, 8, 4096, "ring:segments=4"),
      library_rule(barrier, 4, 0, "dissemination"),
      library_rule(bcast, 4, 8, "binomial"),
      library_rule(bcast, 4, 8192, "openmpi:scatter_allgather"),
      library_rule(gatherv, 4, 8, "linear"),
      library_rule(gatherv, 8, 8, "linear"),
      library_rule(gatherv, 8, 100, "binomial"),
      library_rule(reduce, 4, 8, "openmpi:binomial"),
      library_rule(reduce, 4, 8192, "openmpi:rabenseifner"),
      library_rule(reduce_scatter, 4, 256, "ring"),
      library_rule(reduce_scatter_block, 4, 8, "recursive_halving"),
      library_rule(scatter, 4, 8, "binomial"),
  });
  table.candidates = Candidates::all;
  for (Rule& rule : table.rules) {
    if (rule.what.algorithm == "neighbor_exchange") rule.needs = kEvenProcs;
  }
  return table;
}

struct Format {
  const char* name;
  const char* prefix;
  Emitted (*emit)(const Table&, const Provenance&);
  ReadTable (*read)(std::string_view);
};
class Translation : public ::testing::TestWithParam<Format> {
 protected:
  static std::string emitted() { return GetParam().emit(mixed_table(), openmpi_provenance()).text; }
};

/// What each structure of the table above is called, by hand from the documents.
std::string expected(std::string_view prefix, Collective collective, const std::string& variant) {
  using enum Collective;
  using Key = std::pair<Collective, std::string>;
  static const std::map<Key, std::string> kIntel{{{allgather, "bruck"}, "2"},
                                                 {{allgather, "openmpi:ring"}, "3"},
                                                 {{allreduce, "recursive_doubling"}, "1"},
                                                 {{allreduce, "openmpi:recursive_doubling"}, "1"},
                                                 {{allreduce, "halving_doubling"}, "2"},
                                                 {{barrier, "dissemination"}, "1"},
                                                 {{bcast, "binomial"}, "1"},
                                                 {{bcast, "openmpi:scatter_allgather"}, "2"},
                                                 {{gatherv, "linear"}, "1"},
                                                 {{reduce, "openmpi:binomial"}, "2"},
                                                 {{reduce, "openmpi:rabenseifner"}, "5"},
                                                 {{scatter, "binomial"}, "1"}};
  static const std::map<Key, std::string> kUcc{
      {{allgather, "bruck"}, "bruck"},
      {{allgather, "openmpi:ring"}, "ring"},
      {{allgather, "neighbor_exchange"}, "neighbor"},
      {{allreduce, "recursive_doubling"}, "knomial"},
      {{allreduce, "openmpi:recursive_doubling"}, "knomial"},
      {{allreduce, "halving_doubling"}, "sra_knomial"},
      {{bcast, "binomial"}, "knomial"},
      {{bcast, "openmpi:scatter_allgather"}, "sag_knomial"},
      {{reduce, "openmpi:binomial"}, "knomial"},
      {{reduce, "openmpi:rabenseifner"}, "srg"},
      {{reduce_scatter, "ring"}, "ring"},
      {{reduce_scatter_block, "recursive_halving"}, "knomial"}};
  const auto& names = prefix == "ucc" ? kUcc : kIntel;
  const auto found = names.find({collective, variant});
  return found == names.end() ? "native" : fmt::format("{}:{}", prefix, found->second);
}

TEST_P(Translation, IsTheGoldenText) { testing::expect_golden(GetParam().name, emitted()); }

TEST_P(Translation, AnswersWhatTheTableSaysInItsOwnWordsForEveryMeasuredPAndSize) {
  const Table table = mixed_table();
  const ReadTable read = GetParam().read(emitted());
  ASSERT_TRUE(read.answer) << text_of(read);
  const auto wanted = [&](const Case& problem) -> std::string {
    const auto of_collective = [&](const Rule& rule) {
      return rule.what.collective == problem.collective;
    };
    int least = 99;
    int greatest = 0;
    for (const Rule& rule : table.rules) {
      if (!of_collective(rule)) continue;
      least = std::min(least, rule.what.procs);
      greatest = std::max(greatest, rule.what.procs);
    }
    const bool measured = least <= problem.procs && problem.procs <= greatest;
    const bool degraded = problem.collective == Collective::gatherv && problem.procs > 5;
    if (!measured || degraded) return "native";
    return expected(GetParam().prefix, problem.collective, chosen(table, problem));
  };
  testing::expect_same_on_dense_grid(table, 2, 8, read.answer, wanted);
}

TEST_P(Translation, SaysWhatItCannotSay) {
  const Emitted translated = GetParam().emit(mixed_table(), openmpi_provenance());
  const auto says = [&](std::string_view words) {
    return std::ranges::any_of(translated.degraded, [&](const std::string& line) {
      return line.find(words) != std::string::npos &&
             translated.text.find(line) != std::string::npos;
    });
  };
  EXPECT_TRUE(says("allreduce: circulant has no documented equivalent"));
  EXPECT_TRUE(says("allreduce: ring:segments=4 has no"));
}

TEST_P(Translation, SaysThatAnotherLibraryWasMeasured) {
  EXPECT_NE(emitted().find("Measured was the library above, not"), std::string::npos);
  EXPECT_NE(emitted().find("Open MPI v4.1.4"), std::string::npos);
}

TEST_P(Translation, NoCutOfItGoesUnseen) {
  testing::expect_every_cut_is_found(emitted(), GetParam().read);
}

TEST_P(Translation, OverlappingRangesAreFound) {
  const std::string text = GetParam().prefix == std::string_view{"ucc"}
                               ? replaced(emitted(), "allreduce:0-1024:", "allreduce:0-70000:")
                               : replaced(emitted(), ":0-1023@4-5,", ":0-70000@4-5,");
  const ReadTable read = GetParam().read(text);
  ASSERT_FALSE(read.faults.empty());
  EXPECT_NE(read.faults[0].reason.find("overlaps line"), std::string::npos) << text_of(read);
}

TEST_P(Translation, AnUnknownNameIsFound) {
  const bool ucc = GetParam().prefix == std::string_view{"ucc"};
  const std::string text = ucc ? replaced(emitted(), "@sra_knomial", "@sra_magic")
                               : replaced(emitted(), "\n5:8192", "\n55:8192");
  EXPECT_TRUE(finds(GetParam().read(text), line_with(text, ucc ? "@sra_magic" : "\n55:") + !ucc,
                    ucc ? "sra_magic" : "preset 55"));
}

TEST_P(Translation, AShellTakesItAsOneSettingEach) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path{testing::kWorkFolder};
  fs::create_directories(folder);
  const fs::path file = folder / fmt::format("{}.sh", GetParam().name);
  std::ofstream(file) << emitted();
  const fs::path output = folder / fmt::format("{}.out", GetParam().name);
  // To undo it, what the file itself says.
  const std::string command = fmt::format(
      "sh -c '. {0} && env > {1} && eval \"$(sed -n \"s/^#   *unset/unset/p\" {0})\" && "
      "! env | grep -e I_MPI_ADJUST -e UCC_TL'",
      file.string(), output.string());
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream stream(output);
  const std::string settings{std::istreambuf_iterator<char>(stream), {}};
  const std::string_view wanted =
      GetParam().prefix == std::string_view{"ucc"}
          ? "#reduce:0-8192:host:[4-4]:@knomial#reduce:8192-inf:host:[4-4]:@srg#"
          : "\nI_MPI_ADJUST_REDUCE=2:0-8191@4-4;5:8192-2147483647@4-4\n";
  EXPECT_NE(settings.find(wanted), std::string::npos) << settings;
}

TEST_P(Translation, WithoutAnEquivalentSetsNothing) {
  Table table = testing::library_table({library_rule(Collective::allreduce, 4, 8, "circulant")});
  const Emitted translated = GetParam().emit(table, openmpi_provenance());
  EXPECT_EQ(translated.text.find("\nexport I_MPI"), std::string::npos);
  EXPECT_EQ(translated.text.find("\nexport UCC_TL"), std::string::npos);
  EXPECT_EQ(translated.degraded.size(), 1U);
  const ReadTable read = GetParam().read(translated.text);
  ASSERT_TRUE(read.answer) << text_of(read);
  EXPECT_EQ(read.answer({.procs = 4, .message = {8}}), "native");
}

INSTANTIATE_TEST_SUITE_P(To, Translation,
                         ::testing::Values(Format{"intel_mpi", "intel_mpi", intel_mpi,
                                                  read_intel_mpi},
                                           Format{"ucc", "ucc", ucc, read_ucc}),
                         [](const auto& format) { return std::string{format.param.name}; });

TEST(StructureOf, IsTheSameWhoeversTheAlgorithmIs) {
  for (const char* variant :
       {"halving_doubling", "openmpi:rabenseifner", "mpich:reduce_scatter_allgather"}) {
    EXPECT_EQ(structure_of(with_variant({.collective = Collective::allreduce}, variant)),
              "rabenseifner");
  }
  EXPECT_EQ(structure_of(with_variant({.collective = Collective::allgatherv}, "bruck")), "bruck");
  EXPECT_EQ(structure_of(with_variant({.collective = Collective::bcast}, "bruck")), "");
  EXPECT_EQ(structure_of(with_variant({.collective = Collective::bcast}, "binomial:segments=2")),
            "");
}

}  // namespace
}  // namespace breakeven
