// SPDX-License-Identifier: BSD-3-Clause
#include "sim/twins.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "sim/machine.hpp"

namespace breakeven::sim {
namespace {

/// Every model, also with gaps longer than messages, and with rendezvous.
std::vector<Machine> machines() {
  const LogGP loggp{
      .L = {2500e-9}, .o = {500e-9}, .g = {1000e-9}, .G = {6e-9}, .gamma_per_byte = {1e-9}};
  LogGP rendezvous = loggp;
  rendezvous.S = 1;
  return {
      loggp,
      rendezvous,
      Postal{.alpha = {1e-6},
             .beta_per_byte = {1e-9},
             .gamma_per_byte = {1e-10},
             .f_alpha = 0.5,
             .f_beta = 0.7},
      Pipelining{
          .alpha_r = {1e-7}, .beta_per_byte = {1e-9}, .gamma_per_byte = {1e-10}, .alpha_p = {5e-7}},
      LogP{.L = {1e-6}, .o = {1e-7}, .g = {5e-6}, .gamma_per_byte = {1e-9}},
      LogfP{.L = {1e-6}, .o = {1e-7}, .g = {2e-6}, .f = 2, .gamma_per_byte = {1e-9}}};
}

TEST(Twins, TakeAsLongAsAllRanksWhereverTheyAreFound) {
  std::set<std::string> found;
  for (const auto& [collective, name] : kCollectives.entries) {
    if (irregular(collective)) continue;
    for (const kernels::Algorithm* const algorithm : kernels::catalogue(collective)) {
      for (int procs = 2; procs <= 40; ++procs) {
        for (const kernels::Problem& problem :
             kernels::problems_to_prove(collective, *algorithm, procs)) {
          const auto twins = twins_of(*algorithm, problem);
          if (!twins) continue;
          const std::string what = std::string{name} + '/' + std::string{algorithm->name};
          found.insert(what);
          const auto all = kernels::exchange_of(*algorithm, problem);
          const kernels::CollectiveCall call{
              .problem = problem, .count = twins->blocks * 24, .datatype = Datatype::byte};
          for (const Machine& machine : machines()) {
            EXPECT_EQ(finish_time(*twins, call, machine), finish_time(all, call, machine))
                << what << ' ' << problem.params.text() << " p = " << procs << ' '
                << to_text(machine);
          }
        }
      }
    }
  }
  for (const char* what :
       {"allreduce/recursive_doubling", "allreduce/ring", "allreduce/pairwise_ring",
        "allreduce/halving_doubling", "allreduce/dissemination", "allreduce/circulant",
        "allreduce/circulant_combined", "allreduce/elimination_32",
        "allreduce/recursive_multiplying", "allgather/bruck", "barrier/n_way_dissemination"}) {
    EXPECT_TRUE(found.contains(what)) << what;
  }
}

bool alike(std::string_view name, int procs) {
  const auto [algorithm, params] =
      kernels::find_instance(Collective::allreduce, Variant::parse(name));
  return twins_of(*algorithm,
                  {.collective = Collective::allreduce, .procs = procs, .params = params})
      .has_value();
}

TEST(Twins, StandForExchangesInGroupsAtAMillionRanks) {
  EXPECT_TRUE(alike("recursive_multiplying:stages=a8,a8,a8,a8,a16,a4,a4", 1 << 20));
  EXPECT_TRUE(alike("halving_doubling", 1 << 20));
}

TEST(Twins, StandForNobodyWhereRanksDiffer) {
  EXPECT_FALSE(alike("reduce_bcast", 1024));
  EXPECT_FALSE(alike("recursive_doubling", 1000));
  EXPECT_FALSE(alike("recursive_multiplying:stages=m1g2a3,n1g3a2", 7));
}

}  // namespace
}  // namespace breakeven::sim
