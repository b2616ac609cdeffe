/// The part of a ``ByteBudget`` that one body, or one connection, has taken, which is given back with it.
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
    /// - Returns: whether all connections together may keep so many; else the count stays.
    mutating func become(_ newCount: Int) -> Bool {
        guard newCount != count else { return true }
        if newCount > count {
            guard budget.take(newCount - count) else { return false }
        } else {
            budget.giveBack(count - newCount)
        }
        count = newCount
        return true
    }
}
