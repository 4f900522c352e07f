// SPDX-License-Identifier: BSD-3-Clause
#include "executor/mpi_testing.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "executor/mpi_error.hpp"
#include "executor/plan_of.hpp"
#include "kernels/build.hpp"

namespace breakeven::executor::testing_mpi {

namespace {

constexpr std::byte kGuard{0xEE};
constexpr std::size_t kMargin = 256;

IntType derived(std::string_view name, int ints, MPI_Datatype type) {
  MPI_Type_commit(&type);
  return {name, ints, DerivedType{type}, type};
}

MPI_Datatype resized(const DerivedType& type, MPI_Aint lower, MPI_Aint extent) {
  MPI_Datatype result = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(type.get(), lower, extent, &result);
  return result;
}

MPI_Datatype ints_at(std::vector<MPI_Aint> displacements) {
  const std::vector<int> lengths(displacements.size(), 1);
  MPI_Datatype result = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), displacements.data(),
                           MPI_INT, &result);
  return result;
}

}  // namespace

std::vector<IntType> int_types() {
  std::vector<IntType> types;
  types.push_back({"int", 1, DerivedType{MPI_DATATYPE_NULL}, MPI_INT});
  types.push_back(derived("two ints", 2, ints_at({0, 4})));
  types.push_back(derived("two ints in the wrong order", 2, ints_at({4, 0})));
  types.push_back(derived("two ints with a gap", 2, ints_at({0, 12})));
  types.push_back(derived("two ints behind a lower bound", 2, ints_at({20, 24})));
  types.push_back(derived("two ints before their address", 2, ints_at({-8, -4})));
  types.push_back(derived("two ints backwards", 2, resized(DerivedType{ints_at({0, 4})}, 0, -12)));
  types.push_back(derived("three ints with a gap", 3, ints_at({0, 8, 12})));
  types.push_back(derived("an int with padding", 1, resized(DerivedType{ints_at({0})}, -4, 12)));
  types.push_back(
      derived("two ints far apart, interleaved", 2, resized(DerivedType{ints_at({0, 400})}, 0, 4)));
  return types;
}

TypedBuffer::TypedBuffer(MPI_Datatype type, std::int64_t elements) : type_{type} {
  MPI_Aint lower = 0;
  MPI_Aint true_lower = 0;
  MPI_Aint true_extent = 0;
  int size = 0;
  MPI_Type_get_extent(type, &lower, &extent_);
  MPI_Type_get_true_extent(type, &true_lower, &true_extent);
  MPI_Type_size(type, &size);
  ints_ = size / static_cast<int>(sizeof(int));
  const MPI_Aint last = (elements - 1) * extent_;
  begin_ = kMargin + static_cast<std::size_t>(std::max<MPI_Aint>(0, -last));
  const auto span = static_cast<std::size_t>(std::abs(last) + true_lower + true_extent);
  memory_.assign(kMargin + span + kMargin, std::byte{0});
  write(std::vector<int>(static_cast<std::size_t>(elements * ints_), -1));
  for (const std::byte byte : memory_) gap_.push_back(byte == std::byte{0});
  std::ranges::fill(memory_, kGuard);
}

void TypedBuffer::write(const std::vector<int>& values, std::int64_t at) {
  if (values.empty()) return;  // Open MPI refuses the null address even then
  const auto bytes = static_cast<int>(values.size() * sizeof(int));
  int position = 0;
  check_mpi(MPI_Unpack(values.data(), bytes, &position, data() + at * extent_,
                       static_cast<int>(values.size()) / ints_, type_, MPI_COMM_SELF),
            "MPI_Unpack");
}

std::vector<int> TypedBuffer::read(std::int64_t ints, std::int64_t at) {
  std::vector<int> result(static_cast<std::size_t>(ints));
  if (result.empty()) return result;
  int position = 0;
  check_mpi(MPI_Pack(data() + at * extent_, static_cast<int>(ints) / ints_, type_, result.data(),
                     static_cast<int>(result.size() * sizeof(int)), &position, MPI_COMM_SELF),
            "MPI_Pack");
  return result;
}

bool TypedBuffer::gaps_untouched() const {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (gap_[i] && memory_[i] != kGuard) return false;
  }
  return true;
}

int value(int rank, std::int64_t i) { return rank * 100003 + static_cast<int>(i) + 1; }

std::vector<int> values(int rank, std::int64_t first, std::int64_t count) {
  std::vector<int> result;
  for (std::int64_t i = first; i < first + count; ++i) result.push_back(value(rank, i));
  return result;
}

void for_every_choice(Collective collective, int procs,
                      const std::function<void(const kernels::Instance&)>& check) {
  for (const kernels::Algorithm* algorithm : kernels::catalogue(collective)) {
    std::set<std::string> params{""};
    if (algorithm->variants != nullptr) {
      const auto more = algorithm->variants(procs);
      params.insert(more.begin(), more.end());
    }
    if (algorithm->segments) params.insert("segments=3");
    for (const std::string& text : params) {
      const kernels::Instance choice{algorithm, kernels::Params::parse(text)};
      const kernels::Problem problem{
          .collective = collective, .procs = procs, .params = choice.params};
      if (kernels::runs(*algorithm, problem)) check(choice);
    }
  }
}

std::vector<int> roots_of(int procs) {
  const std::set<int> roots{0, procs / 2, procs - 1};
  return {roots.begin(), roots.end()};
}

void run_call(const kernels::Instance& by, MpiCall call) {
  const kernels::Problem problem = problem_of(by, call);
  keep_significant(call, problem.me.value);
  const bool told = rooted(call.collective) && irregular(call.collective) &&
                    passes_on_shares(*by.algorithm, problem);
  Plan plan =
      plan_of(*by.algorithm, problem, call, shares_of(call, problem, told), {.comm = call.comm});
  plan.run(call.input.address, call.output.address, call.op);
}

}  // namespace breakeven::executor::testing_mpi
