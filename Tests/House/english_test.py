"""Tests of the counts of scripts/english.py, on files that have what is counted and what is not."""

import contextlib
import io
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

import english

SWIFT, PAGE = pathlib.Path("Sources/Engine/Core/A.swift"), pathlib.Path("docs/a.md")


class SentenceTest(unittest.TestCase):
    """The sentences of documentation."""

    def found(self, text, file=SWIFT):
        return [(one.line, one.text) for one in english.sentences(file, text)]

    def counts(self, text, file=SWIFT):
        counts = english.Counts()
        counts.add(file, text)
        return {name: count for name, count in counts.found.items() if count}

    def test_a_sentence_ends_at_its_point_or_with_its_paragraph(self):
        text = """
            /// The first, e.g. this one. The second
            /// goes on. `third` is next
            ///
            /// - Parameter name: The fourth.
            /// - Returns: The fifth
            let a = 1
            // No documentation.
            """
        self.assertEqual(self.found(text), [
            (2, "The first, e.g. this one."), (2, "The second goes on."), (3, "`third` is next"), (5, "The fourth."),
            (6, "The fifth")])

    def test_code_and_addresses_are_left_out(self):
        text = """
            /// A `who;` and ``Those/of`` [here](https://example.com/who;moment), <doc:who> and https://example.com/?who;
            ///
            /// ```swift
            /// // who; moment
            /// ```
            ///
            ///     // those of
            """
        self.assertEqual(self.counts(text), {})

    def test_habits_are_counted(self):
        self.assertEqual(self.counts("/// One; two; three. Four; five"), {"semicolon": 2})
        self.assertEqual(self.counts("/// Those of users, and that of\n/// whoever. Those who"), {"those-of": 2, "who": 1})
        self.assertEqual(self.counts("/// Whose moment leads on. Moments lead"), {"who": 1, "moment": 2, "leads": 2})
        self.assertEqual(self.counts("/// It is no level, they have no level; it has no level"), {"semicolon": 1, "is-no": 3})

    def test_a_habit_across_lines_is_listed_with_its_sentence(self):
        self.assertEqual(self.found("/// A.\n/// B those\n/// of C.\n"), [(1, "A."), (2, "B those of C.")])

    def test_pages_are_read_as_well(self):
        text = "# A title\n\nThe text; more.\n\n```\nwho;\n```\n\n| a; b | c; d |\n|---|---|\n"
        self.assertEqual(self.counts(text, PAGE), {"semicolon": 3})


class RestatedTest(unittest.TestCase):
    """Comments that only restate a name."""

    def found(self, text):
        return [(name, is_required) for *_, name, is_required in english.restated(SWIFT, text)]

    def test_words_of_name_and_type_say_nothing_new(self):
        for comment, declaration, is_restated in [
            ("The index of the shape.", "let shapeIndex: Int", True),
            ("The shape.", "let shapes: [Shape]", True),
            ("The user.", "let id: UserID", True),
            ("The head of the request.", "let head: RequestHead?", True),
            ("The identifiers.", "let ids: [Identifier]", True),
            ("A JSON body.", "case jsonBody", True),
            ("The entry.", "var entries: [Int] = []", True),
            ("The shape, if there is one.", "let shape: Shape?", False),
            ("The initial shape.", "let shape: Shape", False),
            ("The reader of `routes`.", "struct RouteReader {", False),
            ("", "let shape: Shape", False),
        ]:
            with self.subTest(comment=comment, declaration=declaration):
                self.assertEqual(bool(self.found(f"/// {comment}\n{declaration}\n")), is_restated)

    def test_only_single_lines_are_told(self):
        self.assertEqual(self.found("/// The key.\n/// It is secret.\nlet key: Int\n"), [])
        self.assertEqual(self.found("/// The key.\n///\n/// The key.\nlet key: Int\n"), [])
        self.assertEqual(self.found("/// The key.\n@inlinable\nvar key: Int { 0 }\n"), [("key", False)])

    def test_access_says_whether_a_comment_is_required(self):
        text = """
package enum Kind {
    /// The name.
    case name
    /// The value.
    package private(set) var value: Int
    /// The key.
    var key: Int
    private enum Inner {
        /// The name.
        case name
    }
}

package extension Kind {
    /// The size.
    var size: Int { 0 }
    /// The state.
    private var state: Int { 0 }
}

public protocol Store {
    /// The users.
    var users: Int { get }
}

extension Kind {
    /// The code.
    var code: Int { 0 }
}
"""
        self.assertEqual(self.found(text), [
            ("name", True), ("value", True), ("key", False), ("name", False), ("size", True), ("state", False),
            ("users", True), ("code", False)])


class OptionTest(unittest.TestCase):
    """The limits and options."""

    def test_each_limit_is_of_a_counter(self):
        self.assertEqual(set(english.LIMITS), {*english.COUNTERS, "restated"})

    def test_mistakes_are_errors_of_usage(self):
        for words in (["--list", "("], ["--lists"], ["Sources"], ["--target", "/nowhere"]):
            with self.subTest(words=words), contextlib.redirect_stderr(io.StringIO()) as said:
                with self.assertRaises(SystemExit) as ended:
                    english.main(words)
                self.assertEqual(ended.exception.code, 64)
                self.assertIn("english: ", said.getvalue())


if __name__ == "__main__":
    unittest.main()
