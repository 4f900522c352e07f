# SPDX-License-Identifier: BSD-3-Clause
# A ReFrame test: reframe -c reframe_guidelines.py -r. Needs check_guidelines.sh in the same folder.
import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class Guidelines(rfm.RunOnlyRegressionTest):
    descr = "Performance guidelines of the MPI library"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    machine = parameter(["mpich", "openmpi"])
    executable = "./check_guidelines.sh"
    sourcesdir = "."
    local = True  # the script starts the MPI jobs itself

    @run_after("init")
    def set_options(self):
        self.executable_opts = [self.machine, "guidelines", "--procs", "2", "--bytes", "8:64K"]

    @sanity_function
    def none_violated(self):
        return sn.all([
            sn.assert_eq(self.job.exitcode, 0),
            sn.assert_found(r"comparisons: 0 violated", self.stdout),
        ])

    @performance_function("comparisons")
    def undecided(self):
        return sn.extractsingle(r"(\d+) undecided", self.stdout, 1, int)
