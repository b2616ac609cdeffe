/// The reason why a key of a key set cannot be used; never with anything of the key but its id and its kind.
struct JWKError: Error {
    /// The weight of the reason: what a key set of somebody else may hold, or what is wrong in any.
    enum Kind {
        /// The key is for another purpose, such as encryption or an algorithm that is not among the four.
        case foreign

        /// The key is malformed, too weak or does not say what it is for.
        case faulty
    }

    let kind: Kind

    /// What is wrong and how to mend it: a sentence that begins with a verb, since the key is named before it.
    let message: String
}
