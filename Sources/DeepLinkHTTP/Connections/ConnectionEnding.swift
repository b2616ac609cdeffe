import DeepLinkFormats

/// The way in which a connection ends, as far as that is known; each case but the first rules out the ones before it.
enum ConnectionEnding {
    /// Nothing says that it does.
    case open

    /// It ends with the answer to the newest request that was let through.
    case afterNewest

    /// It ends with a refusal, once everything before is answered; the answer to a `HEAD` has no body.
    case refused(Problem, isHead: Bool)

    /// The last answer is written.
    case done

    /// Whether nothing says that it ends.
    var isOpen: Bool { if case .open = self { true } else { false } }

    /// Whether what comes is still read, at least the rest of a request.
    var readsOn: Bool {
        switch self {
        case .open, .afterNewest: true
        case .refused, .done: false
        }
    }

    /// Whether the last answer is written.
    var isDone: Bool { if case .done = self { true } else { false } }
}
