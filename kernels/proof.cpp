// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/proof.hpp"

#include "kernels/build.hpp"

namespace breakeven {

std::vector<Rank> roots_to_prove(Collective collective, int procs) {
  constexpr int kMostWithEveryRoot = 17;
  if (!rooted(collective)) return {Rank{0}};
  if (procs > kMostWithEveryRoot) return {Rank{0}, Rank{procs / 3}, Rank{procs - 1}};
  std::vector<Rank> roots;
  for (int rank = 0; rank < procs; ++rank) roots.push_back({rank});
  return roots;
}

std::vector<Problem> problems_to_prove(Collective collective, const Algorithm& algorithm,
                                       int procs) {
  std::vector<std::string> texts{""};
  if (algorithm.variants != nullptr) {
    for (std::string& params : algorithm.variants(procs)) texts.push_back(std::move(params));
  }
  std::vector<Problem> problems;
  for (const std::string& params : texts) {
    for (const Rank root : roots_to_prove(collective, procs)) {
      Problem problem{
          .collective = collective, .procs = procs, .root = root, .params = Params::parse(params)};
      if (runs(algorithm, problem)) problems.push_back(std::move(problem));
    }
  }
  return problems;
}

}  // namespace breakeven
