// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/settings.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/temporary_folder.hpp"

namespace breakeven::libraries {
namespace {

TEST(Settings, AreWhatVariablesOfTheLibraryAndOfTransportsMake) {
  EXPECT_EQ(setting_of("openmpi", "OMPI_MCA_coll_tuned_bcast_algorithm"),
            "coll_tuned_bcast_algorithm");
  for (const char* name : {"MPICH_CH4_NETMOD", "MPIR_PARAM_CH4_NETMOD", "MPIR_CVAR_CH4_NETMOD"}) {
    EXPECT_EQ(setting_of("mpich", name), "MPIR_CVAR_CH4_NETMOD");
    EXPECT_EQ(setting_of("openmpi", name), std::nullopt);
  }
  for (const char* name : {"UCX_TLS", "FI_PROVIDER", "LD_PRELOAD"}) {
    EXPECT_EQ(setting_of("mpich", name), name);
    EXPECT_EQ(setting_of("openmpi", name), name);
  }
  for (const char* name : {"OMPI_MCA_coll", "PATH", "OMPI_COMM_WORLD_SIZE"}) {
    EXPECT_EQ(setting_of("mpich", name), std::nullopt);
  }
}

TEST(Settings, OfTheLauncherOrOfMessagesChangeNoMeasurement) {
  for (const char* name :
       {"coll_tuned_use_dynamic_rules", "btl", "pml", "mpi_leave_pinned", "opal_event_backend",
        "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "UCX_TLS", "FI_PROVIDER", "LD_PRELOAD"}) {
    EXPECT_TRUE(changes_measurements(name)) << name;
  }
  for (const char* name :
       {"plm_rsh_agent", "rmaps_base_oversubscribe", "mpi_oversubscribe", "orte_tmpdir_base",
        "coll_base_verbose", "btl_base_warn_component_unused", "MPIR_CVAR_PRINT_CVARS",
        "UCX_LOG_LEVEL", "ess"}) {
    EXPECT_FALSE(changes_measurements(name)) << name;
  }
}

TEST(Settings, OfTransportsComeFromTheEnvironmentBeforeFiles) {
  const test::TemporaryFolder folder;
  std::ofstream{folder / "ucx.conf"} << "# a comment\nUCX_TLS = sm,self\nUCX_RNDV_THRESH=16k\n";
  const Environment environment{{"UCX_CONFIG_DIR", (folder / "").string()},
                                {"UCX_TLS", "tcp"},
                                {"LD_PRELOAD", "/lib/libbreakeven_yield.so:/lib/slow.so"}};
  std::map<std::string, LibrarySetting> found;
  for (const LibrarySetting& each : transport_settings(environment)) found[each.name] = each;
  EXPECT_EQ(found["UCX_TLS"].value, "tcp");
  EXPECT_EQ(found["UCX_TLS"].origin, "environment");
  EXPECT_EQ(found["UCX_RNDV_THRESH"].value, "16k");
  EXPECT_EQ(found["UCX_RNDV_THRESH"].origin, (folder / "ucx.conf").string());
  EXPECT_EQ(found["LD_PRELOAD"].value, "/lib/slow.so") << "without our own";
}

}  // namespace
}  // namespace breakeven::libraries
