import Foundation

/// Says how often the tests that repeat themselves do so.
///
/// Under a sanitizer each round takes many times as long; `scripts/sanitize` then sets `WAYMARK_TEST_DIVISOR`, and says
/// so.
package enum Effort {
    /// By how much the counts are divided: `WAYMARK_TEST_DIVISOR`, and 1 where it is not set.
    package static let divisor: Int = {
        let text = ProcessInfo.processInfo.environment["WAYMARK_TEST_DIVISOR"]
        return max(text.flatMap { Int($0) } ?? 1, 1)
    }()

    /// Whether a sanitizer slows everything down.
    package static var isSlowed: Bool { divisor > 1 }

    /// The part of a count that is run.
    package static func part(of count: Int) -> Int { max(count / divisor, 1) }
}
