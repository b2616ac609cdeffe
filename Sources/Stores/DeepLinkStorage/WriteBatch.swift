/// The bounds of a transaction of changes that arrive together.
package enum WriteBatch {
    /// The most changes of one transaction, by their sizes: more would delay the first of them.
    package static let maximumSize = 1024

    /// Returns the first of the waiting changes, for one transaction: as many as fit, but at least one of any size.
    ///
    /// - Parameters:
    ///   - waiting: The changes, in the order of their arrival.
    ///   - size: The size of a change, at least 1.
    /// - Returns: The changes of the transaction.
    package static func first<Changes: Collection>(
        of waiting: Changes,
        size: (Changes.Element) -> Int
    ) -> Changes.SubSequence {
        var total = 0
        return waiting.prefix { change in
            let isFirst = total == 0
            total += max(size(change), 1)
            return isFirst || total <= maximumSize
        }
    }
}
