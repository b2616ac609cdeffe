/// A color of a page, in sRGB.
package struct AccentColor: Hashable, Sendable {
    /// The parts, from 0 to 255: red, green and blue.
    package let parts: [UInt8]

    /// Reads `#rrggbb` or `#rgb`, or returns `nil` for any other text.
    package init?(_ text: String) {
        let digits = text.utf8.dropFirst().compactMap(ASCII.hexValue)
        guard text.utf8.first == ASCII.hash, digits.count == text.utf8.count - 1 else { return nil }
        switch digits.count {
        case 3: parts = digits.map { $0 * 17 }
        case 6: parts = stride(from: 0, to: 6, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
        default: return nil
        }
    }

    /// The minimum contrast between text and background (WCAG 2.2 §1.4.3).
    package static let textContrast = 4.5

    /// The minimum contrast between large text and its background.
    package static let largeTextContrast = 3.0

    /// The color as style sheets write it: `#0b57d0`.
    package var text: String {
        "#" + parts.map { (String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16)) }.joined()
    }

    /// The relative luminance (WCAG 2.2).
    ///
    /// The power of 2.4 is computed without Foundation: the twelfth power of the fifth root.
    package var luminance: Double {
        let linear = parts.map { part -> Double in
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : Self.raised((value + 0.055) / 1.055)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    /// The contrast with white text and with black text (WCAG 2.2): one is always above 4.58, as their product is 21.
    package var contrasts: (white: Double, black: Double) { (1.05 / (luminance + 0.05), (luminance + 0.05) / 0.05) }

    /// Returns the contrast with another color, from 1 to 21 (WCAG 2.2).
    package func contrast(with other: AccentColor) -> Double {
        let (one, two) = (luminance + 0.05, other.luminance + 0.05)
        return max(one, two) / min(one, two)
    }

    /// Returns a number between 0 and 1 to the power of 2.4.
    private static func raised(_ base: Double) -> Double {
        var root = 1.0
        // Newton's method for the fifth root, which converges from above.
        for _ in 0..<40 { root -= (root * root * root * root * root - base) / (5 * root * root * root * root) }
        var power = 1.0
        for _ in 0..<12 { power *= root }
        return power
    }
}
