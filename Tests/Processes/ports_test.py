"""Tests of the ports that proofs get."""

import concurrent.futures
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import ports


def take(counter, count):
    """Takes some ports in a process of its own."""
    return [ports.free_port(counter) for _ in range(count)]


class PortsTest(unittest.TestCase):
    """Each test has a counter of its own."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.counter = os.path.join(scratch.name, "counter")

    def test_processes_side_by_side_get_different_ports(self):
        with concurrent.futures.ProcessPoolExecutor(8) as pool:
            taken = [port for some in pool.map(take, [self.counter] * 8, [20] * 8) for port in some]
        self.assertEqual(len(set(taken)), 160)

    def test_the_system_hands_none_of_them_out(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.assertNotIn(listener.getsockname()[1], ports.candidates())

    def test_a_port_on_which_somebody_listens_is_left_out(self):
        first = ports.free_port(self.counter)
        following = next(port for port in range(first + 1, ports.candidates()[-1]) if ports.is_free(port))
        with socket.create_server(("127.0.0.1", following)):
            self.assertGreater(ports.free_port(self.counter), following)

    def test_the_last_port_is_followed_by_the_first(self):
        with mock.patch.object(ports, "candidates", lambda: range(20_000, 20_003)), mock.patch.object(ports, "is_free", lambda _: True):
            self.assertEqual(take(self.counter, 5), [20_000, 20_001, 20_002, 20_000, 20_001])

    def test_no_free_port_is_an_error(self):
        with mock.patch.object(ports, "candidates", lambda: range(20_000, 20_003)), mock.patch.object(ports, "is_free", lambda _: False):
            self.assertRaisesRegex(OSError, "from 20000 to 20002", ports.free_port, self.counter)

    def test_a_damaged_counter_begins_anew(self):
        for text in ("", "none", "-7", "9" * 30):
            pathlib.Path(self.counter).write_text(text)
            self.assertIn(ports.free_port(self.counter), ports.candidates())
            self.assertTrue(pathlib.Path(self.counter).read_text().strip().isdecimal())

    def test_every_user_may_count(self):
        ports.free_port(self.counter)
        self.assertEqual(os.stat(self.counter).st_mode & 0o777, 0o666)

    def test_a_link_in_place_of_the_counter_is_not_followed(self):
        os.symlink(self.counter + ".elsewhere", self.counter)
        self.assertRaises(OSError, ports.free_port, self.counter)
        self.assertFalse(os.path.exists(self.counter + ".elsewhere"))

    def test_the_program_prints_a_port(self):
        run = subprocess.run([sys.executable, "-B", ports.__file__], capture_output=True, text=True, check=True)
        self.assertIn(int(run.stdout), ports.candidates())


if __name__ == "__main__":
    unittest.main()
