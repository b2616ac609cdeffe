import DeepLinkFormats

/// The part of a ``ByteBudget`` that one body has taken, which is given back with it.
struct KeptBytes: ~Copyable {
    private let budget: ByteBudget
    private var count = 0

    /// Begins with no bytes.
    init(of budget: ByteBudget) {
        self.budget = budget
    }

    deinit { budget.giveBack(count) }

    /// Counts so many bytes as kept, more or fewer than before.
    ///
    /// - Throws: ``Problem`` of code `overloaded` where all connections together keep too many.
    mutating func become(_ newCount: Int) throws(Problem) {
        if newCount > count {
            guard budget.take(newCount - count) else { throw .tooManyBytes }
        } else {
            budget.giveBack(count - newCount)
        }
        count = newCount
    }
}
