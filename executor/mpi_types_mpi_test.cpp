// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <iostream>

#include "core/error.hpp"
#include "executor/mpi_types.hpp"

namespace breakeven::executor {
namespace {

TEST(MpiTypes, HaveTheExtentsOfOursAndAreFoundAgain) {
  for (const DatatypeRow& row : kDatatypeTable) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    try {
      type = mpi_datatype(row.datatype);
    } catch (const UsageError& refusal) {
      std::cout << refusal.what() << '\n';
      continue;
    }
    MPI_Aint lower = -1;
    MPI_Aint extent_of_mpi = -1;
    MPI_Type_get_extent(type, &lower, &extent_of_mpi);
    EXPECT_EQ(lower, 0) << row.name;
    EXPECT_EQ(Bytes{extent_of_mpi}, extent(row.datatype)) << row.name;
    EXPECT_EQ(datatype_of(type), row.datatype) << row.name;
  }
}

TEST(MpiTypes, OfEveryMpiLibraryIncludeThoseOfC) {
  for (const DatatypeRow& row : kDatatypeTable) {
    if (row.type_class != TypeClass::c_integer) continue;
    EXPECT_NO_THROW(static_cast<void>(mpi_datatype(row.datatype))) << row.name;
  }
  EXPECT_EQ(datatype_of(MPI_LONG_LONG_INT), Datatype::long_long);
  EXPECT_EQ(datatype_of(MPI_C_COMPLEX), Datatype::c_float_complex);
}

TEST(MpiTypes, AreNotThoseThatAProgramDerives) {
  EXPECT_EQ(datatype_of(MPI_DATATYPE_NULL), std::nullopt);
  EXPECT_EQ(datatype_of(MPI_PACKED), std::nullopt);
  MPI_Datatype derived = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &derived);
  MPI_Type_commit(&derived);
  EXPECT_EQ(datatype_of(derived), std::nullopt);
  MPI_Type_free(&derived);
}

TEST(MpiOps, AreFoundAgainAndAreNotThoseThatAProgramMakes) {
  for (const auto& [op, name] : kOps.entries) {
    if (op == Op::none) continue;
    EXPECT_EQ(op_of(mpi_op(op)), op) << name;
  }
  EXPECT_EQ(op_of(MPI_OP_NULL), std::nullopt);
  EXPECT_EQ(op_of(MPI_REPLACE), std::nullopt);
  EXPECT_EQ(op_of(MPI_NO_OP), std::nullopt);
  MPI_Op made = MPI_OP_NULL;
  MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &made);
  EXPECT_EQ(op_of(made), std::nullopt);
  MPI_Op_free(&made);
}

}  // namespace
}  // namespace breakeven::executor
