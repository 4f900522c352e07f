# SPDX-License-Identifier: BSD-3-Clause
"""Nodes of an emulated cluster are different hosts, and nothing of them stays. No MPI is needed."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

from emulated import NOT_PERMITTED, SCRIPT, EmulatedTest, require_namespaces
from support import LONGEST_RUN_S, descendants, wait_until

SPACES = "net uts ipc pid mnt"
AGENT = "$HYDRA_LAUNCHER_EXEC"


class Nodes(EmulatedTest):
    def test_each_has_namespaces_of_its_own(self) -> None:
        links = "; ".join(f"readlink /proc/self/ns/{space}" for space in SPACES.split())
        script = f"for node in node0 node1; do $cluster exec $node -- sh -c '{links}'; done"
        there = self.on_head(script)
        here = [os.readlink(f"/proc/self/ns/{space}") for space in SPACES.split()]
        seen = [*there.split(), *here]
        self.assertEqual(len(seen), 15)
        self.assertEqual(len(set(seen)), 15, seen)

    def test_each_has_a_name_and_an_address_that_the_other_knows(self) -> None:
        printed = self.on_head(
            "$cluster exec node1 -- sh -c 'uname -n; getent ahostsv4 node0 head localhost'"
        )
        self.assertEqual(printed.split()[0], "node1")
        for address in ("10.77.0.1 ", "10.77.0.254 ", "127.0.0.1 "):
            self.assertIn(address, printed)

    def test_memory_and_temporary_files_are_not_shared(self) -> None:
        for folder in ("/dev/shm", "/tmp"):
            name = f"{folder}/breakeven_{os.getpid()}"
            printed = self.on_head(
                f"$cluster exec node0 -- touch {name}; $cluster exec node0 -- ls {name};"
                f" ! $cluster exec node1 -- test -e {name}; ! test -e {name}"
            )
            self.assertEqual(printed.strip(), name)

    def test_sys_shows_the_nodes_devices(self) -> None:
        printed = self.on_head("$cluster exec node0 -- ls /sys/class/net")
        self.assertEqual(printed.split(), ["eth0", "lo"])

    def test_the_command_sees_the_head_and_the_folder_it_was_started_in(self) -> None:
        self.assertEqual(self.on_head("uname -n; pwd").split(), ["head", str(self.folder)])

    def test_links_have_the_rate_asked_for_in_both_directions(self) -> None:
        show = "tc qdisc show dev"
        path = "PATH=$PATH:/usr/sbin:/sbin"
        printed = self.on_head(
            f"{path}; {show} to-node1; $cluster exec node1 -- {show} eth0", "--rate", "50mbit"
        )
        self.assertEqual(printed.count("rate 50Mbit"), 2, printed)
        unshaped = self.on_head(f"{path}; {show} to-node1", "--rate", "none")
        self.assertNotIn("tbf", unshaped)

    def exchange(self, size: int, *options: str) -> tuple[float, float]:
        """The seconds of a byte to node0 and back, and those of `size` bytes to node0."""
        (self.folder / "program.py").write_text(
            "import random, socket, sys, time\n"
            "data = random.Random(1).randbytes(int(sys.argv[2]))\n"
            "if sys.argv[1] == 'take':\n"
            "    door = socket.create_server(('', 5001)); print('open', flush=True)\n"
            "    peer = door.accept()[0]; peer.sendall(peer.recv(1)); taken = b''\n"
            "    while more := peer.recv(1 << 16): taken += more\n"
            "    sys.exit(taken != data)\n"
            "peer = socket.create_connection(('node0', 5001)); begin = time.monotonic()\n"
            "peer.sendall(b'!'); peer.recv(1); print(time.monotonic() - begin)\n"
            "begin = time.monotonic(); peer.sendall(data); peer.shutdown(socket.SHUT_WR)\n"
            "peer.recv(1); print(time.monotonic() - begin)\n"
        )
        there_and_back, there = self.on_head(
            f"$cluster exec node0 -- python3 program.py take {size} > taken & taker=$!;"
            " until grep -q open taken; do sleep 0.05; done;"
            f" $cluster exec node1 -- python3 program.py give {size}; wait $taker",
            *options,
        ).split()
        return float(there_and_back), float(there)

    def test_a_rate_holds(self) -> None:
        """A bound, not a comparison of times: 0.2 s less what the bursts let through."""
        _, seconds = self.exchange(250_000, "--rate", "10mbit")
        self.assertGreater(seconds, 0.15)

    def test_a_delay_holds_and_leaves_bytes_as_they_are(self) -> None:
        command = [SCRIPT, "run", "--nodes", "1", "--delay-us", "1", "--", "true"]
        tried = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if tried.returncode == NOT_PERMITTED:
            self.skipTest(tried.stderr.strip())
        there_and_back, _ = self.exchange(3_000_000, "--rate", "1gbit", "--delay-us", "20000")
        self.assertGreater(there_and_back, 0.04)


class Commands(EmulatedTest):
    def test_an_exit_status_and_a_signal_come_through(self) -> None:
        self.on_head("exit 5", status=5)
        self.on_head("kill -SEGV $$", status=128 + signal.SIGSEGV)

    def test_standard_input_reaches_the_command(self) -> None:
        command = [SCRIPT, "run", "--nodes", "1", "--", "cat"]
        done = subprocess.run(command, input="a word", capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, "a word"))

    def test_the_agent_runs_words_in_the_folder_with_a_clean_environment(self) -> None:
        printed = self.on_head(f"export SECRET=1; {AGENT} -x root@node1 uname -n '&&' pwd '&&' env")
        self.assertEqual(printed.split()[:2], ["node1", str(self.folder)])
        self.assertNotIn("SECRET", printed)
        self.assertIn("PATH=", printed)

    def test_the_agent_says_what_a_node_lacks(self) -> None:
        other = tempfile.mkdtemp(prefix="breakeven_other_")
        self.addCleanup(shutil.rmtree, other)
        reached = f"cd {other}; {AGENT} node0 pwd 2>&1"
        printed = self.on_head(f"{reached} || echo $?")
        words = f"^emulated-cluster: node node0 does not see {other}: .*--share it\n255\n$"
        self.assertRegex(printed, words)
        self.assertEqual(self.on_head(reached, "--share", other), f"{other}\n")
        printed = self.on_head(f"{AGENT} node7 true 2>&1 || echo $?")
        words = "emulated-cluster: no node 'node7'; there are: node0 node1\n255\n"
        self.assertEqual(printed, words)

    def test_private_has_no_nodes_and_no_network_but_its_own(self) -> None:
        done = self.emulated("private", "--", "ls", "/proc/sys/net/ipv4/conf")
        self.assertEqual(set(done.stdout.split()), {"all", "default", "eth0", "lo"})

    @unittest.skipUnless(os.geteuid() == 0, "this user is not root, and all other tests show it")
    def test_root_is_not_needed(self) -> None:
        nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]
        on_node = [SCRIPT, "exec", "node1", "--", "uname", "-n"]
        command = [*nobody, SCRIPT, "run", "--nodes", "2", "--", *on_node]
        done = subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=60)
        if done.returncode == NOT_PERMITTED or "Permission denied" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual((done.returncode, done.stdout), (0, "node1\n"), done.stderr)


class Ends(EmulatedTest):
    """However it ends, all of it ends."""

    BUSY = "for node in node0 node1; do $cluster exec $node -- sleep 500 & done; echo ready;"

    def setUp(self) -> None:
        super().setUp()
        self.mounts = pathlib.Path("/proc/self/mounts").read_text()

    def begin(self, then: str) -> tuple[subprocess.Popen, list[int]]:
        """A cluster with a process on each node, and all its processes."""
        script = f"cluster={SCRIPT}; {self.BUSY} {then}"
        process = self.start("run", "--nodes", "2", "--", "sh", "-c", script, program=SCRIPT)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        # The first one, the shell, of each node the first one and two of its exec.
        all_there = wait_until(lambda: len(descendants(process.pid)) >= 8)
        self.assertTrue(all_there, descendants(process.pid))
        return process, descendants(process.pid)

    def finish(self, process: subprocess.Popen, processes: list[int]) -> tuple[int, str]:
        output, _ = process.communicate(timeout=LONGEST_RUN_S)
        self.assert_nothing_left(processes, self.mounts)
        return process.returncode, output

    def test_with_the_command(self) -> None:
        process, processes = self.begin("sleep 1; echo over")
        self.assertEqual(self.finish(process, processes), (0, "over\n"))

    def test_by_signals_that_the_command_may_answer(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            name = number.name.removeprefix("SIG")
            answer = f"trap 'echo bye; exit 6' {name}; while :; do sleep 0.1; done"
            process, processes = self.begin(answer)
            process.send_signal(number)
            self.assertEqual(self.finish(process, processes), (6, "bye\n"))

    def test_by_a_signal_that_ends_the_command(self) -> None:
        process, processes = self.begin("exec sleep 500")
        process.terminate()
        self.assertEqual(self.finish(process, processes), (128 + signal.SIGTERM, ""))

    def test_by_a_kill(self) -> None:
        process, processes = self.begin("exec sleep 500")
        process.kill()
        self.assertEqual(self.finish(process, processes)[0], -signal.SIGKILL)


class Refusals(EmulatedTest):
    def test_bad_requests_get_one_line(self) -> None:
        for arguments, words in [
            (["run", "--nodes", "0", "--", "true"], "--nodes 0: possible are 1 to"),
            (["run", "--nodes", "many", "--", "true"], "--nodes"),
            (["run", "--rate", "fast", "--", "true"], "--rate 'fast': possible are"),
            (["run", "--rate", "0mbit", "--", "true"], "--rate '0mbit'"),
            (["run", "--delay-us", "-1", "--", "true"], "--delay-us -1: possible are"),
            (["run", "--share", "/no/such", "--", "true"], "--share '/no/such' is no folder"),
            (["run", "--nodes", "2"], "run needs a command"),
            (["run", "--nodes", "2", "--", "no-such-program"], "no program 'no-such-program'"),
            (["exec", "node0", "--", "true"], "exec works on a cluster's head"),
            (["lift"], "lift"),
            ([], "ACTION"),
        ]:
            run = self.emulated(*arguments, status=2)
            self.assertIn(words, run.stderr)
            self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)

    def test_an_unknown_node_is_refused_with_the_known(self) -> None:
        printed = self.on_head("$cluster exec node2 -- true 2>&1 || echo $?")
        self.assertEqual(printed, "emulated-cluster: no node 'node2'; there are: node0 node1\n2\n")


if __name__ == "__main__":
    require_namespaces()
    unittest.main()
