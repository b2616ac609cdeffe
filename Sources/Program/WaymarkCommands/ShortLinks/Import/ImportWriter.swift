import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The writer of imported short links, which saves one batch while the next is read.
struct ImportWriter {
    private let store: any ShortLinkStore
    private let audit: CommandAudit

    /// Returns whether a server writes to the same database, so that it needs pauses.
    private let isServed: @Sendable () -> Bool

    /// The outcome so far.
    private(set) var report = ImportReport()

    /// The number of rows in a batch without a server.
    private let largestSlice: Int

    /// Creates the writer of a store.
    init(
        _ store: any ShortLinkStore,
        audit: CommandAudit,
        largestSlice: Int,
        isServed: @escaping @Sendable () -> Bool
    ) {
        self.store = store
        self.audit = audit
        self.largestSlice = largestSlice
        self.isServed = isServed
    }

    /// Writes all links of a source.
    ///
    /// - Parameters:
    ///   - next: Reads the outcomes of at most the given number of rows. The result is empty at the end.
    ///   - progress: A function that is called after each batch.
    /// - Throws: The errors of the source and of the store. The links of earlier batches are made.
    mutating func write(_ next: (Int) throws -> [ImportedLinks.Outcome], progress: () -> Void) async throws {
        let (links, audit) = (store, audit)
        var slice = try next(size)
        while !slice.isEmpty {
            let writes = slice.compactMap(\.write)
            let start = ContinuousClock.now
            async let saving = save(writes, in: links, audit: audit)
            // The processor reads and resolves while the disk writes.
            let following = Result { try next(size) }
            try await note(slice, outcomes: saving)
            progress()
            slice = try following.get()
            if !slice.isEmpty, isServed() { try await BatchLimits.pause(afterBatchFrom: start) }
        }
    }

    /// The number of rows in the next batch.
    private var size: Int { isServed() ? BatchLimits.size : largestSlice }

    private mutating func note(
        _ slice: [ImportedLinks.Outcome],
        outcomes: [Result<ShortLinkWriteResult, ShortLinkWriteError>]
    ) async throws {
        let stored = try await storedLinks(slice, outcomes: outcomes)
        var rest = outcomes[...]
        for row in slice {
            switch row {
            case .refused(let refusal): report.note(refusal)
            case .link(let link):
                guard let outcome = rest.popFirst() else { continue }
                if let refusal = link.refusal(by: outcome, among: stored) {
                    report.note(refusal)
                } else {
                    report.note(isNew: (try? outcome.get())?.isNew ?? false, isOtherwise: link.isOtherwise)
                }
            }
        }
    }

    /// Finds the links that conflict with writes, concurrently, so that the requests to a remote store overlap.
    private func storedLinks(
        _ slice: [ImportedLinks.Outcome],
        outcomes: [Result<ShortLinkWriteResult, ShortLinkWriteError>]
    ) async throws -> [ShortLinkCode: ShortLink] {
        let codes = zip(slice.compactMap(\.write), outcomes)
            .compactMap { write, outcome in if case .failure = outcome { write.givenCode } else { nil } }
        return try await withThrowingTaskGroup(of: (ShortLinkCode, ShortLink?).self) { [store] group in
            for code in Set(codes) { group.addTask { (code, try await store.link(for: code).value.link) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }
}

extension ImportedLinks.Outcome {
    fileprivate var write: ShortLinkWrite? { if case .link(let link) = self { link.write } else { nil } }
}

extension ShortLinkWrite {
    /// The requested code, or `nil` for a random one.
    fileprivate var givenCode: ShortLinkCode? { if case .given(let code, _) = code { code } else { nil } }
}

extension ImportedLink {
    /// Returns the reason why the link was not made, or `nil` if it was made, or exists with the same destination.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of its write.
    ///   - found: The links that conflict with writes of the batch.
    /// - Returns: The reason.
    fileprivate func refusal(
        by outcome: Result<ShortLinkWriteResult, ShortLinkWriteError>,
        among found: [ShortLinkCode: ShortLink]
    ) -> ImportRefusal? {
        guard let code = write.givenCode else { return nil }
        func refused(_ reason: String, shape: String = "", _ message: String) -> ImportRefusal {
            ImportRefusal(line: line, code: code.text, link: link, reason: reason, message: message, shape: shape)
        }
        func taken(_ shape: String, _ message: String) -> ImportRefusal {
            refused("code-taken", shape: shape, message)
        }
        switch outcome {
        case .success(let saved):
            // The name was found.
            return saved.link.code == code
                ? nil : refused("name-taken", "The link `\(saved.link.code.text)` has the name.")
        case .failure(.versionMismatch), .failure(.codeTaken):
            guard let stored = found[code] else { return taken("erased", "A link that was erased had the code.") }
            guard stored.code == code else {
                return taken("but for case", "The code is that of `\(stored.code.text)` but for case.")
            }
            guard !stored.contents.isWithdrawn || write.withdrawal == .withdrawn else {
                return taken("withdrawn", "The link was withdrawn, and leads nowhere.")
            }
            let (own, other) = (write.contents.target, stored.contents.target)
            guard own.shape != other.shape || own.values != other.values else { return nil }
            return taken("leads elsewhere", "The code leads to \(other.text) already.")
        case .failure(.nameTaken(let other)):
            return refused("name-taken", "The link `\(other.code.text)` has the name.")
        case .failure(.tooManyLabels):
            let message = "\(ShortLinkLabel.maximumCount) labels are in use, and this is a further one."
            return refused("too-many-labels", message)
        case .failure(.tooManyLinks), .failure(.answered): return refused("refused", "The store refused the link.")
        }
    }
}

/// Writes a batch and its lines of the audit log, unless it is empty.
private func save(
    _ writes: [ShortLinkWrite],
    in store: any ShortLinkStore,
    audit: CommandAudit
) async throws -> [Result<ShortLinkWriteResult, ShortLinkWriteError>] {
    guard !writes.isEmpty else { return [] }
    var audited = writes
    for index in audited.indices { audited[index].terms.isAudited = audit.isKept }
    let saved = try await store.saveEach(audited)
    await audit.note(saved.compactMap { try? $0.get() })
    return saved
}
