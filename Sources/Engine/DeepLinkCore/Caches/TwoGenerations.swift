/// A table of bounded size, in two generations.
///
/// When the current generation is full, it becomes the previous one, whose entries are dropped. So no entry has to be
/// found to make room, and the newer half of the capacity is always there.
package struct TwoGenerations<Key: Hashable, Value> {
    @usableFromInline var current: [Key: Value] = [:]
    @usableFromInline var previous: [Key: Value] = [:]
    @usableFromInline let maximumCount: Int

    /// Creates an empty table.
    ///
    /// - Parameter capacity: The maximum number of entries, an even number.
    @inlinable
    package init(capacity: Int) {
        maximumCount = max(capacity / 2, 1)
    }

    /// The number of entries.
    @inlinable package var count: Int { current.count + previous.count }

    /// Returns the value of a key, or `nil` if there is none.
    @inlinable
    package subscript(key: Key) -> Value? { current[key] ?? previous[key] }

    /// Returns the value of a key, which then belongs to the current generation, or `nil` if there is none.
    @inlinable
    package mutating func use(_ key: Key) -> Value? {
        if let value = current[key] { return value }
        guard let value = previous.removeValue(forKey: key) else { return nil }
        insert(value, for: key)
        return value
    }

    /// Inserts the value of a key into the current generation, in place of an earlier one.
    @inlinable
    package mutating func insert(_ value: Value, for key: Key) {
        if current.count >= maximumCount, current[key] == nil {
            previous = current
            current = [:]
        } else if !previous.isEmpty {
            previous.removeValue(forKey: key)
        }
        current[key] = value
    }

    /// Removes the value of a key.
    @inlinable
    package mutating func remove(_ key: Key) {
        current.removeValue(forKey: key)
        previous.removeValue(forKey: key)
    }

    /// Removes all entries.
    @inlinable
    package mutating func removeAll() {
        current = [:]
        previous = [:]
    }
}

extension TwoGenerations: Sendable where Key: Sendable, Value: Sendable {}
