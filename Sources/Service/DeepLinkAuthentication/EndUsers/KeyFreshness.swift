/// The number of the keys that verify end users' tokens, and their age.
package struct KeyFreshness: Sendable {
    /// The number of keys; 0 before the first reading has succeeded.
    package let count: Int

    /// The time since the keys were last read with success; since the start before that.
    package let age: Duration
}
