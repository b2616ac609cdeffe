/// Says why bytes are no JSON, and where.
struct JSONSyntaxError: Error, Hashable {
    /// What is wrong, as a sentence without its end.
    let message: String

    /// The byte where the fault stands.
    let offset: Int
}
