// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/smpi.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "core/temporary_folder.hpp"
#include "harness/launch/smpi_machine.hpp"

namespace breakeven::launch {
namespace {

std::string refusal(std::string_view machine) {
  try {
    static_cast<void>(parse_smpi(machine));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

/// The content of a job's host file.
std::string placed(JobLayout layout) {
  const ChildProcess::Command command = smpi.command("smpirun", layout, "");
  std::ostringstream text;
  text << std::ifstream{command.arguments.at(4)}.rdbuf();
  return text.str();
}

const JobLayout kTwoHosts{{.procs = 6, .nodes = 2, .procs_per_node = 3, .mapping = Mapping::seq},
                          false,
                          false,
                          {"a", "b"}};

TEST(SmpiMachine, IsToldFromLibrariesByItsName) {
  EXPECT_TRUE(is_smpi("smpi:two.xml"));
  EXPECT_TRUE(is_smpi("smpi"));
  EXPECT_FALSE(is_smpi("smpich"));
  EXPECT_FALSE(is_smpi("postal:alpha=1"));
}

TEST(SmpiMachine, HasEverythingThatItsTextSays) {
  const SmpiMachine machine =
      parse_smpi("smpi:a/two.xml,hosts=4,ppn=8,mapping=rr,network=smpi,selector=ompi,gamma=1e-10");
  EXPECT_EQ(machine.platform, "a/two.xml");
  EXPECT_EQ(machine.hosts, 4);
  EXPECT_EQ(machine.procs_per_host, 8);
  EXPECT_EQ(machine.mapping, Mapping::rr);
  EXPECT_EQ(machine.network, SmpiNetwork::fitted);
  EXPECT_EQ(machine.selector, SmpiSelector::ompi);
  EXPECT_EQ(machine.gamma_per_byte, 1e-10);
}

TEST(SmpiMachine, IsNamedByWhatMakesItAnother) {
  const SmpiMachine machine =
      parse_smpi("smpi:a/two.xml,gamma=1e-10,hosts=4,mapping=rr,network=smpi,selector=ompi");
  EXPECT_EQ(to_text(machine), "smpi:a/two.xml,network=smpi,selector=ompi,gamma=1e-10");
  EXPECT_EQ(name_of(machine), "smpi:two.xml,network=smpi,selector=ompi,gamma=1e-10");
  EXPECT_EQ(name_of(parse_smpi("smpi:two.xml,network=pure,gamma=0")), "smpi:two.xml");
  EXPECT_EQ(to_text(parse_smpi(to_text(machine))), to_text(machine));
}

TEST(SmpiMachine, RefusesInWordsWhatItCanNotRead) {
  EXPECT_NE(refusal("smpi").find("names no platform"), std::string::npos);
  EXPECT_NE(refusal("smpi:,hosts=2").find("names no platform"), std::string::npos);
  EXPECT_NE(refusal("smpi:a b.xml").find("no blanks"), std::string::npos);
  EXPECT_NE(refusal("smpi:a.xml,hosts").find("'hosts': is not key=value"), std::string::npos);
  EXPECT_NE(refusal("smpi:a.xml,hosts=0").find("'hosts=0': '0' is not"), std::string::npos);
  EXPECT_NE(refusal("smpi:a.xml,hosts=2,hosts=3").find("said before"), std::string::npos);
  EXPECT_NE(refusal("smpi:a.xml,gamma=-1").find("'gamma=-1'"), std::string::npos);
  EXPECT_NE(refusal("smpi:a.xml,mapping=cyclic").find("known: seq rr"), std::string::npos);
  EXPECT_NE(refusal("smpi:a.xml,nodes=2").find("'nodes=2': no such key; possible: smpi:PLATFORM"),
            std::string::npos);
}

TEST(SmpiMachine, HasNoNodesToLookAt) {
  EXPECT_NO_THROW(require_real_nodes("mpich", "doctor"));
  EXPECT_THROW(require_real_nodes("smpi:a.xml", "doctor"), UsageError);
  EXPECT_THROW(require_real_nodes("postal:alpha=1,beta=1,gamma=1", "clocks"), UsageError);
}

TEST(SmpiLauncher, FillsHostsOrDealsRanksOut) {
  EXPECT_EQ(placed(kTwoHosts), "a\na\na\nb\nb\nb\n");
  JobLayout dealt_out = kTwoHosts;
  dealt_out.mapping = Mapping::rr;
  EXPECT_EQ(placed(dealt_out), "a\nb\na\nb\na\nb\n");
}

TEST(SmpiLauncher, KeepsOneFileForAllJobsOfALayout) {
  EXPECT_EQ(to_text(smpi.command("smpirun", kTwoHosts, "")),
            to_text(smpi.command("smpirun", kTwoHosts, "")));
}

TEST(SmpiPlatform, ThatIsNoFileIsRefused) {
  EXPECT_THROW(static_cast<void>(read_platform("/no/such/platform.xml", "/bin")), UsageError);
  EXPECT_THROW(static_cast<void>(read_platform("/tmp", "/bin")), UsageError);
}

/// SMPI's programs; the reader of platforms only prints a given text.
class MadeUpSmpi : public ::testing::Test {
 protected:
  void make(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << "#!/bin/sh\n" << text;
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  }

  /// The refusal of a number of the platform's hosts; "" when they are taken.
  [[nodiscard]] std::string refusal_of(const std::string& reader, int hosts) const {
    for (const char* name : {"platform.xml", "breakeven-worker-smpi", "libbreakeven_yield.so"}) {
      make(name, "");
    }
    make("breakeven-smpi-hosts", reader);
    const SmpiMachine machine{.platform = folder / "platform.xml"};
    try {
      const SmpiPlatform platform = read_platform(machine.platform, folder.path());
      const LauncherOptions any{.launcher = "/bin/true"};
      found_ = find_smpi(machine, platform, hosts, folder.path(), any).hosts;
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  const test::TemporaryFolder folder;
  mutable std::vector<std::string> found_{};
};

TEST_F(MadeUpSmpi, TakesNamesWithBlanksInThem) {
  EXPECT_EQ(refusal_of("echo 4 rack 1, node 2; echo 2 a", 2), "");
  EXPECT_EQ(found_, (std::vector<std::string>{"rack 1, node 2", "a"}));
}

TEST_F(MadeUpSmpi, RefusesByNameAHostThatSmpirunCanNotBeTold) {
  for (const std::string name : {"a:2", " a", "a ", "a\t", ""}) {
    const std::string reader = "printf '4 good\\n2 " + name + "\\n'";
    EXPECT_NE(refusal_of(reader, 2).find("has host '" + name + "', which smpirun"),
              std::string::npos)
        << refusal_of(reader, 2);
    EXPECT_EQ(refusal_of(reader, 1), "") << "a host that no rank is on";
  }
}

TEST_F(MadeUpSmpi, SaysWhyAPlatformCanNotBeRead) {
  EXPECT_NE(refusal_of("echo no such link >&2; exit 2", 1).find("platform.xml': no such link"),
            std::string::npos);
  EXPECT_NE(refusal_of("kill -SEGV $$", 1).find("signal 11"), std::string::npos);
  EXPECT_NE(refusal_of("", 1).find("it has no hosts"), std::string::npos);
}

}  // namespace
}  // namespace breakeven::launch
