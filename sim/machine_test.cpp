// SPDX-License-Identifier: BSD-3-Clause
#include "sim/machine.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"

namespace breakeven::sim {
namespace {

std::string error_of(std::string_view name, ModelKeys keys) {
  try {
    static_cast<void>(parameters_of(name, keys));
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Machine, HasOneSpelling) {
  ModelKeys keys{{"o", 1.5e-6}, {"L", 2.5e-6}, {"g", 1e-6}, {"G", 6e-9}, {"S", 0}, {"noise", 0.1}};
  EXPECT_EQ(to_text(parameters_of("loggp", keys)), "loggp:L=2.5e-06,o=1.5e-06,g=1e-06,G=6e-09");
  EXPECT_EQ(keys, (ModelKeys{{"noise", 0.1}}));
  EXPECT_EQ(to_text(Postal{.alpha = {1e-6}, .f_beta = 0.5}),
            "postal:alpha=1e-06,beta=0,gamma=0,f_beta=0.5");
}

TEST(Machine, IsRefusedWithWhatIsPossible) {
  EXPECT_NE(error_of("loggps", {}).find("no model 'loggps'; did you mean 'loggp'? known: postal"),
            std::string::npos);
  EXPECT_EQ(error_of("logp", {{"L", 1}}),
            "model 'logp' has no 'o'; possible: "
            "logp:L=SECONDS,o=SECONDS,g=SECONDS[,gamma=SECONDS_PER_BYTE]");
}

TEST(Machine, IsAModelByItsName) {
  EXPECT_TRUE(is_model("loggp:L=1e-6"));
  EXPECT_TRUE(is_model("cluster.toml"));
  EXPECT_FALSE(is_model("loggp"));
  EXPECT_FALSE(is_model("openmpi"));
}

}  // namespace
}  // namespace breakeven::sim
