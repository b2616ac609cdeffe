/// The Stream-Safe Text Format of Unicode (UAX #15, §13): at most 30 non-starters, such as accents, in a row.
///
/// Code that compares, sorts or prints a text by canonical equivalence, as `String` does, sorts each run of
/// non-starters, at a cost quadratic in its length. No language needs more than 30.
enum StreamSafeText {
    /// The most non-starters in a row (UAX15-D3).
    private static let maximumRun = 30

    /// Returns whether all runs of non-starters in a text are short enough to be compared in linear time.
    ///
    /// - Complexity: linear in the text.
    static func contains(_ text: String) -> Bool {
        // The first non-starter is U+0300, in UTF-8 CC 80.
        guard text.utf8.contains(where: { $0 >= 0xCC }) else { return true }
        var run = 0
        for scalar in text.unicodeScalars {
            let count = nonStarterCount(of: scalar)
            run = count == 0 ? 0 : run + count
            if run > maximumRun { return false }
        }
        return true
    }

    /// Returns the number of non-starters in the canonical decomposition of a scalar, if it begins with one.
    private static func nonStarterCount(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case ..<0x300: 0
        // The non-starter decompositions (UAX #15, §5), some of them of starters.
        case 0x344, 0xF73, 0xF75, 0xF81: 2
        default: scalar.properties.canonicalCombiningClass == .notReordered ? 0 : 1
        }
    }
}
