/// What is wrong with a part of a request; the raw value is what clients see.
package enum InvalidRequestReason: String {
    /// A part that must be there is not.
    case missing

    /// The request has a part that means nothing here.
    case unknown

    /// A part stands there twice.
    case duplicate

    /// Two parts contradict each other.
    case conflict

    /// A part is of the wrong JSON type.
    case wrongType = "wrong-type"

    /// A part has the right form and no possible value.
    case invalidValue = "invalid-value"

    /// A part cannot be read at all.
    case malformed
}
