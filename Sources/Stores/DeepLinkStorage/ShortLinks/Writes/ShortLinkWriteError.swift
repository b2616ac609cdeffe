/// The reason why a store left a short link as it was, although nothing is broken.
package enum ShortLinkWriteError: Error, Hashable, Sendable {
    /// The precondition does not hold; the version that is stored, `nil` for no link or a withdrawn one.
    case versionMismatch(current: Int?)

    /// Another link has the name, or the link of that name was made on other terms.
    case nameTaken(by: ShortLink)

    /// A link has the code already, compared without case, or had it and was withdrawn; `nil` if the link was erased.
    case codeTaken(by: ShortLink?)

    /// As many labels are in use as there may be (``ShortLinkLabel/maximumCount``), and this is a further one.
    case tooManyLabels

    /// The user has made as many links as the quota allows.
    case tooManyLinks

    /// The request was answered before, under the same key.
    case answered(KeptAnswer)
}
