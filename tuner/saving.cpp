// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/saving.hpp"

namespace breakeven::tuner {

Saving saving_of(const Use& use, const Amount& amount, const Table& table, const Table* library) {
  Saving saving{.algorithm = use.algorithm};
  const Table* decides = &table;
  if (use.algorithm == kNative) {
    if (library == nullptr) return saving;
    decides = library;
    const Choice choice =
        library->choose(use.collective, use.layout.procs, use.message, use.layout.mapping);
    saving.algorithm = variant_text({.algorithm = choice.algorithm, .params = choice.params});
  }
  const Rule* const rule =
      decides->find_rule(use.collective, use.layout.procs, use.message, use.layout.mapping);
  if (rule == nullptr || variant_text(rule->what) != saving.algorithm) return saving;
  if (saving.algorithm != kNative) saving.speedup = rule->speedup;
  if (saving.speedup) saving.saved_s = amount.seconds * (saving.speedup->ratio - 1);
  return saving;
}

}  // namespace breakeven::tuner
