// SPDX-License-Identifier: BSD-3-Clause
#include "executor/element_type.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

#include "executor/mpi_error.hpp"

namespace breakeven::executor {

namespace {

/// Whether the data of an element is what its memory holds, byte for byte: the library is asked to
/// pack elements whose bytes say where they are, one byte of the offset after the other.
bool packs_in_order(MPI_Datatype type, const Layout& layout, MPI_Comm comm) {
  constexpr std::int64_t kMost = 4 << 20;
  if (layout.size != layout.true_extent || layout.size != layout.extent || layout.size > kMost) {
    return false;
  }
  const auto bytes = static_cast<std::size_t>(layout.size);
  std::vector<unsigned char> memory(bytes);
  std::vector<unsigned char> packed(bytes);
  for (unsigned shift = 0; (bytes - 1) >> shift > 0; shift += 8) {
    for (std::size_t i = 0; i < bytes; ++i) memory[i] = static_cast<unsigned char>(i >> shift);
    int position = 0;
    check_mpi(MPI_Pack(memory.data() - layout.true_lower, 1, type, packed.data(),
                       static_cast<int>(bytes), &position, comm),
              "MPI_Pack");
    if (memory != packed) return false;
  }
  return true;
}

int count_freed(MPI_Datatype, int, void*, void*) {
  ++freed_handles();
  return MPI_SUCCESS;
}

int make_type_keyval() {
  int keyval = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, count_freed, &keyval, nullptr),
            "MPI_Type_create_keyval");
  return keyval;
}

}  // namespace

Layout layout_of(MPI_Datatype type, MPI_Comm comm) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Aint true_lower = 0;
  MPI_Aint true_extent = 0;
  check_mpi(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  check_mpi(MPI_Type_get_true_extent(type, &true_lower, &true_extent), "MPI_Type_get_true_extent");
  Layout layout{.size = size_of(type),
                .extent = extent,
                .true_lower = true_lower,
                .true_extent = true_extent,
                .contiguous = false};
  if (layout.size == 0) return contiguous_layout({1});
  layout.contiguous = packs_in_order(type, layout, comm);
  return layout;
}

std::int64_t size_of(MPI_Datatype type) {
  MPI_Count size = 0;
#if MPI_VERSION >= 4  // where the other is deprecated
  check_mpi(MPI_Type_size_c(type, &size), "MPI_Type_size_c");
#else
  check_mpi(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
#endif
  return size;
}

bool predefined(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = MPI_UNDEFINED;
  check_mpi(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner),
            "MPI_Type_get_envelope");
  return combiner == MPI_COMBINER_NAMED;
}

std::int64_t identity_of(MPI_Datatype type) {
  static const int keyval = make_type_keyval();
  static std::atomic<std::intptr_t> last{0};
  void* identity = nullptr;
  int found = 0;
  check_mpi(MPI_Type_get_attr(type, keyval, &identity, &found), "MPI_Type_get_attr");
  if (found == 0) {
    identity = reinterpret_cast<void*>(++last);
    check_mpi(MPI_Type_set_attr(type, keyval, identity), "MPI_Type_set_attr");
  }
  return reinterpret_cast<std::intptr_t>(identity);
}

}  // namespace breakeven::executor
