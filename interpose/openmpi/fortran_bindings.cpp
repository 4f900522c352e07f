// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's Fortran interfaces call the library past its C interface, so that their functions are
// replaced too: those of mpif.h and `use mpi`, under each name that a Fortran compiler may give
// them, and those that mpi_f08 calls. Each calls the C function, which is replaced itself. MPICH's
// Fortran interfaces call its C functions.
#include <mpi.h>

#include <array>
#include <boost/preprocessor/punctuation/comma_if.hpp>
#include <boost/preprocessor/repetition/enum_params.hpp>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "interpose/fortran_requests.hpp"

namespace {

static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays of INTEGER are arrays of int");

// Variables of Fortran whose addresses count. Several libraries have one; the dynamic linker shows
// all of them the first.
extern "C" {
extern int mpi_fortran_in_place_;
extern int mpi_fortran_bottom_;
}

void* buffer(void* address) {
  if (address == &mpi_fortran_in_place_) return MPI_IN_PLACE;
  if (address == &mpi_fortran_bottom_) return MPI_BOTTOM;
  return address;
}

/// A request that the call makes, for the program.
class MadeRequest {
 public:
  explicit MadeRequest(void* of_program) : of_program_{static_cast<MPI_Fint*>(of_program)} {}
  ~MadeRequest() { *of_program_ = MPI_Request_c2f(made_); }
  MadeRequest(const MadeRequest&) = delete;
  MadeRequest& operator=(const MadeRequest&) = delete;
  operator MPI_Request*() { return &made_; }  // NOLINT(google-explicit-constructor): an argument

 private:
  MPI_Fint* of_program_;
  MPI_Request made_ = MPI_REQUEST_NULL;
};

/// An argument of Fortran, which is an address, as one of C.
template <typename C>
auto argument(void* address) {
  const auto handle = [&] { return *static_cast<const MPI_Fint*>(address); };
  if constexpr (std::is_same_v<C, void*> || std::is_same_v<C, const void*>) {
    return buffer(address);
  } else if constexpr (std::is_same_v<C, const int*>) {
    return static_cast<const int*>(address);
  } else if constexpr (std::is_same_v<C, int*>) {
    return static_cast<int*>(address);
  } else if constexpr (std::is_same_v<C, MPI_Request*>) {
    return MadeRequest{address};
  } else if constexpr (std::is_same_v<C, MPI_Comm>) {
    return MPI_Comm_f2c(handle());
  } else if constexpr (std::is_same_v<C, MPI_Datatype>) {
    return MPI_Type_f2c(handle());
  } else if constexpr (std::is_same_v<C, MPI_Op>) {
    return MPI_Op_f2c(handle());
  } else {
    static_assert(std::is_same_v<C, int>);
    return handle();
  }
}

template <typename... C, std::size_t... Index>
int call(int (*function)(C...), const std::array<void*, sizeof...(C)>& arguments,
         std::index_sequence<Index...> /*of the arguments*/) {
  return function(argument<C>(arguments[Index])...);
}

/// Calls the C function with the arguments of Fortran, of which the last is for the error.
template <typename... C>
void call(int (*function)(C...), const std::array<void*, sizeof...(C)>& arguments, void* ierror) {
  const int status = call(function, arguments, std::index_sequence_for<C...>{});
  if (ierror != nullptr) *static_cast<MPI_Fint*>(ierror) = status;
}

int alltoallw(const void* in, const int* sent, const int* sdispls, const int* from, void* out,
              const int* counts, const int* displs, const int* to, MPI_Comm comm) {
  int procs = 0;
  const int status = PMPI_Comm_size(comm, &procs);
  if (status != MPI_SUCCESS) return status;
  const auto types = [procs](const int* handles) {
    std::vector<MPI_Datatype> made;
    for (int i = 0; i < procs; ++i) made.push_back(MPI_Type_f2c(handles[i]));
    return made;
  };
  const std::vector<MPI_Datatype> sent_types =
      in == MPI_IN_PLACE ? std::vector<MPI_Datatype>{} : types(from);
  return MPI_Alltoallw(in, sent, sdispls, sent_types.data(), out, counts, displs, types(to).data(),
                       comm);
}

int init() { return MPI_Init(nullptr, nullptr); }
int init_thread(int required, int* provided) {
  return MPI_Init_thread(nullptr, nullptr, required, provided);
}

}  // namespace

#define ONE_NAME(name, function, count)                                                            \
  extern "C" [[gnu::visibility("default")]] void name(BOOST_PP_ENUM_PARAMS(count, void* a)         \
                                                          BOOST_PP_COMMA_IF(count) void* ierror) { \
    call(function, {BOOST_PP_ENUM_PARAMS(count, a)}, ierror);                                      \
  }
#define FORTRAN(lower, UPPER, function, count) \
  ONE_NAME(mpi_##lower, function, count)       \
  ONE_NAME(mpi_##lower##_, function, count)    \
  ONE_NAME(mpi_##lower##__, function, count)   \
  ONE_NAME(MPI_##UPPER, function, count)       \
  ONE_NAME(ompi_##lower##_f, function, count)

FORTRAN(init, INIT, init, 0)
FORTRAN(init_thread, INIT_THREAD, init_thread, 2)
FORTRAN(allgather, ALLGATHER, MPI_Allgather, 7)
FORTRAN(allgatherv, ALLGATHERV, MPI_Allgatherv, 8)
FORTRAN(allreduce, ALLREDUCE, MPI_Allreduce, 6)
FORTRAN(alltoall, ALLTOALL, MPI_Alltoall, 7)
FORTRAN(alltoallv, ALLTOALLV, MPI_Alltoallv, 9)
FORTRAN(alltoallw, ALLTOALLW, alltoallw, 9)
FORTRAN(barrier, BARRIER, MPI_Barrier, 1)
FORTRAN(bcast, BCAST, MPI_Bcast, 5)
FORTRAN(exscan, EXSCAN, MPI_Exscan, 6)
FORTRAN(gather, GATHER, MPI_Gather, 8)
FORTRAN(gatherv, GATHERV, MPI_Gatherv, 9)
FORTRAN(reduce, REDUCE, MPI_Reduce, 7)
FORTRAN(reduce_scatter, REDUCE_SCATTER, MPI_Reduce_scatter, 6)
FORTRAN(reduce_scatter_block, REDUCE_SCATTER_BLOCK, MPI_Reduce_scatter_block, 6)
FORTRAN(scan, SCAN, MPI_Scan, 6)
FORTRAN(scatter, SCATTER, MPI_Scatter, 8)
FORTRAN(scatterv, SCATTERV, MPI_Scatterv, 9)
// Not ialltoallw: the types as those of C would have to live until its completion.
FORTRAN(iallgather, IALLGATHER, MPI_Iallgather, 8)
FORTRAN(iallgatherv, IALLGATHERV, MPI_Iallgatherv, 9)
FORTRAN(iallreduce, IALLREDUCE, MPI_Iallreduce, 7)
FORTRAN(ialltoall, IALLTOALL, MPI_Ialltoall, 8)
FORTRAN(ialltoallv, IALLTOALLV, MPI_Ialltoallv, 10)
FORTRAN(ibarrier, IBARRIER, MPI_Ibarrier, 2)
FORTRAN(ibcast, IBCAST, MPI_Ibcast, 6)
FORTRAN(iexscan, IEXSCAN, MPI_Iexscan, 7)
FORTRAN(igather, IGATHER, MPI_Igather, 9)
FORTRAN(igatherv, IGATHERV, MPI_Igatherv, 10)
FORTRAN(ireduce, IREDUCE, MPI_Ireduce, 8)
FORTRAN(ireduce_scatter, IREDUCE_SCATTER, MPI_Ireduce_scatter, 7)
FORTRAN(ireduce_scatter_block, IREDUCE_SCATTER_BLOCK, MPI_Ireduce_scatter_block, 7)
FORTRAN(iscan, ISCAN, MPI_Iscan, 7)
FORTRAN(iscatter, ISCATTER, MPI_Iscatter, 9)
FORTRAN(iscatterv, ISCATTERV, MPI_Iscatterv, 10)

// Of these, the functions of mpi_f08 call some of the others and some functions of PMPI.
#define WAIT_OR_TEST(lower, UPPER, ...)                \
  BREAKEVEN_WAIT_OR_TEST(mpi_##lower, __VA_ARGS__)     \
  BREAKEVEN_WAIT_OR_TEST(mpi_##lower##_, __VA_ARGS__)  \
  BREAKEVEN_WAIT_OR_TEST(mpi_##lower##__, __VA_ARGS__) \
  BREAKEVEN_WAIT_OR_TEST(MPI_##UPPER, __VA_ARGS__)     \
  BREAKEVEN_WAIT_OR_TEST(mpi_##lower##_f08_, __VA_ARGS__)
BREAKEVEN_FOR_WAITS_AND_TESTS(WAIT_OR_TEST)
