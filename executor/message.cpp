// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <span>

#include "core/error.hpp"
#include "executor/mpi_error.hpp"
#include "executor/program.hpp"

namespace breakeven::executor {

namespace {

constexpr std::int64_t kMostCount = std::numeric_limits<int>::max();
constexpr std::int64_t kChunk = std::int64_t{1} << 30;  // elements that are counted as one

/// The arguments of MPI_Type_create_struct.
struct Blocks {
  std::vector<int> lengths;
  std::vector<MPI_Aint> displacements;
  std::vector<MPI_Datatype> types;

  void add(std::int64_t length, std::int64_t displacement, MPI_Datatype type) {
    lengths.push_back(static_cast<int>(length));
    displacements.push_back(displacement);
    types.push_back(type);
  }
};

DerivedType chunk_of(MPI_Datatype element) {
  MPI_Datatype chunk = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(static_cast<int>(kChunk), element, &chunk), "MPI_Type_contiguous");
  return DerivedType{chunk};
}

/// Elements of a datatype that lie one after the other.
struct TypedRun {
  std::int64_t offset = 0;
  std::int64_t count = 0;
  MPI_Datatype type = MPI_BYTE;
  std::int64_t extent = 1;
};

std::int64_t extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check_mpi(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  return extent;
}

/// Adds the shares whose bytes a piece has.
void add_shares(std::vector<TypedRun>& runs, std::int64_t begin, std::int64_t end,
                std::span<const TypedShare> shares) {
  for (std::int64_t at = 0; const TypedShare& share : shares) {
    const std::int64_t stop = at + share.bytes;
    if (begin < stop && at < end) {
      if (at < begin || end < stop) throw Error("the schedule sends a part of a typed share");
      runs.push_back({share.offset, share.count, share.type, extent_of(share.type)});
    }
    at = stop;
  }
}

/// Where elements are alike.
TypedRun run_of(const Piece& piece, kernels::Buffer buffer, const CallTerms& terms) {
  const Layout& layout = terms.memory.of(buffer).layout;
  const std::int64_t bytes = piece.elements * terms.memory.element_size;
  if (layout.contiguous) return {piece.offset, bytes};
  return {piece.offset, bytes / layout.size, terms.elements.of(buffer), layout.extent};
}

std::vector<TypedRun> runs_of(std::span<const Piece> pieces, kernels::Buffer buffer,
                              const CallTerms& terms) {
  const std::span<const TypedShare> shares = terms.elements.shares(buffer);
  std::vector<TypedRun> runs;
  for (const Piece& piece : pieces) {
    if (shares.empty()) {
      runs.push_back(run_of(piece, buffer, terms));
    } else {
      const std::int64_t bytes = piece.elements * terms.memory.element_size;
      add_shares(runs, piece.offset, piece.offset + bytes, shares);
    }
  }
  return runs;
}

/// All runs as one element, from the first one's offset on.
DerivedType type_of(std::span<const TypedRun> runs) {
  std::vector<DerivedType> chunks;
  Blocks blocks;
  for (const TypedRun& run : runs) {
    const std::int64_t begin = run.offset - runs.front().offset;
    std::int64_t in_chunks = 0;
    if (run.count > kMostCount) {
      chunks.push_back(chunk_of(run.type));
      blocks.add(run.count / kChunk, begin, chunks.back().get());
      in_chunks = run.count / kChunk * kChunk;
    }
    blocks.add(run.count - in_chunks, begin + in_chunks * run.extent, run.type);
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_create_struct(static_cast<int>(blocks.lengths.size()), blocks.lengths.data(),
                                   blocks.displacements.data(), blocks.types.data(), &type),
            "MPI_Type_create_struct");
  DerivedType made{type};
  check_mpi(MPI_Type_commit(&type), "MPI_Type_commit");
  return made;
}

}  // namespace

Message message_of(int peer, kernels::Buffer buffer, std::span<const Piece> pieces,
                   const CallTerms& terms, std::vector<DerivedType>& made) {
  if (pieces.empty()) return {.peer = peer, .buffer = buffer};
  const auto of = [&](const TypedRun& run) {
    return Message{peer, static_cast<int>(run.count), run.type, buffer, run.offset};
  };
  if (pieces.size() == 1 && terms.elements.shares(buffer).empty()) {
    const TypedRun only = run_of(pieces.front(), buffer, terms);
    if (only.count <= kMostCount) return of(only);
  }
  const std::vector<TypedRun> runs = runs_of(pieces, buffer, terms);
  const TypedRun& first = runs.front();
  if (runs.size() == 1 && first.count <= kMostCount) return of(first);
  made.push_back(type_of(runs));
  return of({first.offset, 1, made.back().get()});
}

}  // namespace breakeven::executor
