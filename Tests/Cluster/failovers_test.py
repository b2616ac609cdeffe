"""Tests of the model that decides which answers under failovers are right."""

import unittest
from unittest import mock

import failovers
from cluster import LEVELS

NONE, ONBOARDED, SIGNED_IN, PREMIUM = LEVELS


class ModelTest(unittest.TestCase):
    """Each test writes one user at moments of its own."""

    def setUp(self):
        self.user = failovers.User("ada")

    def acknowledge(self, version, at):
        with mock.patch.object(failovers.time, "monotonic", lambda: at):
            self.user.acknowledge(version)

    def write(self, level, version, at):
        self.user.begin(level)
        self.acknowledge(version, at)

    def test_a_level_counts_alone_once_its_acknowledgement_is_a_second_old(self):
        self.assertEqual(self.user.allowed(0), {NONE})
        self.write(PREMIUM, 1, at=10)
        self.assertEqual(self.user.allowed(10.9), {NONE, PREMIUM})
        self.assertEqual(self.user.allowed(11.1), {PREMIUM})

    def test_a_write_under_way_may_be_seen_and_need_not_be(self):
        self.write(PREMIUM, 1, at=10)
        self.user.begin(SIGNED_IN)
        self.assertEqual(self.user.allowed(20), {PREMIUM, SIGNED_IN})
        self.acknowledge(2, at=21)
        self.assertEqual(self.user.allowed(23), {SIGNED_IN})

    def test_an_unknown_outcome_stays_open_until_a_later_one_is_known(self):
        self.write(PREMIUM, 1, at=10)
        self.user.begin(SIGNED_IN)
        self.user.begin(ONBOARDED)
        self.assertEqual(self.user.allowed(500), {PREMIUM, SIGNED_IN, ONBOARDED})
        self.acknowledge(3, at=501)
        self.assertEqual(self.user.allowed(503), {ONBOARDED})

    def test_an_answer_to_the_last_version_has_no_level_before_it(self):
        self.write(PREMIUM, 1, at=10)
        self.write(SIGNED_IN, 2, at=10.1)
        self.assertEqual(self.user.allowed(10.2, version=2), {SIGNED_IN})
        self.assertIsNone(self.user.allowed(10.2, version=1))

    def test_memory_is_bounded(self):
        for number in range(1, 1000):
            self.write(LEVELS[number % 4], number, at=number * 10)
        self.assertLess(len(self.user.writes), 20)
        self.assertEqual(self.user.allowed(9992), {LEVELS[999 % 4]})


if __name__ == "__main__":
    unittest.main()
