/// The reason why bytes are no JSON, and where.
package struct JSONSyntaxError: Error, Hashable {
    /// What is wrong, as a sentence without its end.
    package let message: String

    /// The byte where the fault stands.
    package let offset: Int
}
