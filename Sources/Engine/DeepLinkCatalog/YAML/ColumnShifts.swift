/// The mapping from columns of a converted text to columns of the original text.
///
/// A replacement of a different length moves the rest of its line. Line breaks are never replaced or inserted.
struct ColumnShifts {
    private struct Shift {
        /// The index, in the converted text, of the character after a replacement.
        let end: Int

        /// The number of characters by which the text up to there has grown.
        let growth: Int
    }

    /// The shifts in the order of the text.
    private var shifts: [Shift] = []

    /// The shifts of a text without replacements.
    static let none = ColumnShifts()

    /// Adds a replacement that ends before a character of the converted text, in Unicode scalars.
    mutating func append(endingAt end: Int, growth: Int) {
        shifts.append(Shift(end: end, growth: (shifts.last?.growth ?? 0) + growth))
    }

    /// Returns the column in the original text of a character of the converted text, counted from 0.
    ///
    /// Index and column refer to the converted text, and count Unicode scalars from 0.
    ///
    /// - Complexity: logarithmic in the number of replacements.
    func column(at index: Int, converted column: Int) -> Int {
        shifts.isEmpty ? column : column - growth(before: index) + growth(before: index - column)
    }

    private func growth(before index: Int) -> Int {
        var range = shifts.indices
        while let first = range.first {
            let middle = first + range.count / 2
            range = shifts[middle].end <= index ? middle + 1..<range.upperBound : first..<middle
        }
        return range.lowerBound == 0 ? 0 : shifts[range.lowerBound - 1].growth
    }
}
