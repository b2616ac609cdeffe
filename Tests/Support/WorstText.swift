import Foundation

/// The text that costs most to compare by canonical equivalence: a letter, and combining marks of two classes by turns.
package enum WorstText {
    /// A text of at most so many bytes.
    package static func text(byteCount: Int) -> String {
        "a" + String(repeating: "\u{301}\u{323}", count: max(byteCount - 1, 0) / 4)
    }

    /// A plain text of as many bytes as the worst has.
    package static func plain(byteCount: Int) -> String {
        String(repeating: "a", count: text(byteCount: byteCount).utf8.count)
    }
}
