// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <mpi.h>

#include <iostream>

namespace {

/// Prints the failures of a rank other than 0, and nothing else.
class FailurePrinter : public ::testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int rank) : rank_{rank} {}

 private:
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (result.failed()) std::cerr << "rank " << rank_ << ": " << result.message() << std::endl;
  }

  int rank_;
};

}  // namespace

/// Every rank runs every test; the launcher fails when one of them does.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    ::testing::TestEventListeners& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter{rank});
  }
  const int failed = RUN_ALL_TESTS();
  MPI_Finalize();
  return failed;
}
