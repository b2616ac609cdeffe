/// An error of a store that says in sentences what is wrong and what to do about it.
package protocol StoreError: Error, CustomStringConvertible {
    /// Whether what is stored is at fault, and no circumstance.
    var isDamage: Bool { get }
}
