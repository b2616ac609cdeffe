/// The reason why bytes aren't JSON, and its position.
package struct JSONSyntaxError: Error, Hashable {
    /// The description of the fault, as a sentence without its period.
    package let message: String

    /// The offset of the fault, in bytes.
    package let offset: Int
}
