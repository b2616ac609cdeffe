/// An error of a store, described in sentences with its cause and its remedy.
package protocol StoreError: Error, CustomStringConvertible {
    /// Whether the stored data is damaged, rather than the circumstances adverse.
    var isDamage: Bool { get }
}
