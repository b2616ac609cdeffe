import Foundation

/// The number of rounds of tests on generated input.
///
/// Laws and comparisons say how many rounds the whole is; each run takes a part of it. `scripts/test` takes a twentieth,
/// `scripts/prove laws` all, by `WAYMARK_TEST_DIVISOR`.
package enum Effort {
    /// The number that counts are divided by: `WAYMARK_TEST_DIVISOR`, and 20 if it is not set.
    package static let divisor: Int = {
        let text = ProcessInfo.processInfo.environment["WAYMARK_TEST_DIVISOR"]
        return max(text.flatMap { Int($0) } ?? 20, 1)
    }()

    /// The sanitizer that the tests run under, `thread` or `address`, as `scripts/prove sanitize` says by
    /// `WAYMARK_TEST_SANITIZER`; `nil` for none.
    package static let sanitizer = ProcessInfo.processInfo.environment["WAYMARK_TEST_SANITIZER"]

    /// Whether a sanitizer slows everything down.
    package static let isSlowed = sanitizer != nil

    /// The part of a count that is run.
    package static func part(of count: Int) -> Int { max(count / divisor, 1) }

    /// The size of a text that is to cost no more than its length: the whole if everything is run, else a quarter,
    /// which still tells a square from a line.
    package static func size(_ whole: Int) -> Int { divisor == 1 ? whole : whole / 4 }

    /// The seeds that alone are tried, if `WAYMARK_TEST_SEEDS` lists some: those of a failure that is looked into.
    package static let seeds: [UInt64]? = ProcessInfo.processInfo.environment["WAYMARK_TEST_SEEDS"]
        .map { text in text.split(separator: ",").compactMap { UInt64($0) } }
}
