import DeepLinkFormats

/// The known end of a connection; each case but the first rules out the ones before it.
enum ConnectionEnding {
    /// No end is known.
    case open

    /// The connection ends with the answer to the newest request that was admitted.
    case afterNewest

    /// The connection ends with a refusal, once everything before is answered; the answer to a `HEAD` has no body.
    case refused(Problem, isHead: Bool)

    /// The last answer is written.
    case done

    /// Whether no end is known.
    var isOpen: Bool { if case .open = self { true } else { false } }

    /// Whether input is still read, at least the rest of a request.
    var readsOn: Bool {
        switch self {
        case .open, .afterNewest: true
        case .refused, .done: false
        }
    }

    /// Whether the last answer is written.
    var isDone: Bool { if case .done = self { true } else { false } }
}
