/// The reason why a key of a key set cannot be used; never with anything of the key but its id and its kind.
struct JWKError: Error {
    /// The severity of the reason: another issuer's key set may hold such a key, or it is a fault in any.
    enum Kind {
        /// The key is for another purpose, such as encryption or an algorithm that is not among the four.
        case foreign

        /// The key is malformed, too weak or without a purpose.
        case faulty
    }

    let kind: Kind

    /// The description of the fault and its fix: a sentence that begins with a verb, since the key is named before it.
    let message: String
}
