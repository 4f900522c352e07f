// SPDX-License-Identifier: BSD-3-Clause
#include "stats/sign_test.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

namespace breakeven::stats {

double anytime_sign_test(int above, int values) {
  // The mean over q in [1/2, 1] of (2 q)^above (2 (1 - q))^(values - above).
  const double wealth =
      std::ldexp(boost::math::betac(above + 1.0, values - above + 1.0, 0.5), values + 1);
  return std::min(1.0, 1 / wealth);
}

}  // namespace breakeven::stats
