/// The part of a ``ByteBudget`` that one body, or one connection, has taken, which is returned when it ends.
struct KeptBytes: ~Copyable {
    private let budget: ByteBudget
    private var count = 0

    /// Creates a count of no bytes.
    init(of budget: ByteBudget) {
        self.budget = budget
    }

    deinit { budget.giveBack(count) }

    /// Sets the number of bytes that are kept, more or fewer than before.
    ///
    /// - Returns: whether that is within the limit of all connections together; otherwise the count is unchanged.
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
