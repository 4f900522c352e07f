// SPDX-License-Identifier: BSD-3-Clause
#include <limits>

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

/// Pieces whose counts are of `element`, `extent` bytes each, from the first piece's offset on.
DerivedType type_of(const std::vector<Piece>& pieces, MPI_Datatype element, std::int64_t extent) {
  DerivedType chunk{MPI_DATATYPE_NULL};
  Blocks blocks;
  for (const Piece& piece : pieces) {
    const std::int64_t begin = piece.offset - pieces.front().offset;
    std::int64_t chunks = 0;
    if (piece.elements > kMostCount) {
      if (chunk.get() == MPI_DATATYPE_NULL) chunk = chunk_of(element);
      chunks = piece.elements / kChunk;
      blocks.add(chunks, begin, chunk.get());
    }
    blocks.add(piece.elements - chunks * kChunk, begin + chunks * kChunk * extent, element);
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

Message message_of(const BoundMessage& message, const Memory& memory, MPI_Datatype element,
                   std::vector<DerivedType>& made) {
  Message result{.peer = message.peer, .buffer = message.buffer};
  if (message.pieces.empty()) return result;
  const Layout& layout = memory.of(message.buffer).layout;
  std::vector<Piece> pieces = message.pieces;
  for (Piece& piece : pieces) {
    piece.elements = piece.elements * memory.element_size / (layout.contiguous ? 1 : layout.size);
  }
  if (!layout.contiguous) result.type = element;
  result.offset = pieces.front().offset;
  if (pieces.size() == 1 && pieces.front().elements <= kMostCount) {
    result.count = static_cast<int>(pieces.front().elements);
    return result;
  }
  made.push_back(type_of(pieces, result.type, layout.contiguous ? 1 : layout.extent));
  result.type = made.back().get();
  result.count = 1;
  return result;
}

}  // namespace breakeven::executor
