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
    mutating func write(
        _ next: (Int) throws -> [ImportedLinks.Outcome],
        progress: () -> Void
    ) async throws {
        let (links, audit) = (store, audit)
        var slice = try next(size)
        while !slice.isEmpty {
            let writes = slice.compactMap { if case .write(let write, _, _, _) = $0 { write } else { nil } }
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
            case .write(let write, let line, let link, let isOtherwise):
                switch rest.popFirst() {
                case .success(let saved)?:
                    if let refusal = Self.refusal(saved, write, line: line, link: link) {
                        report.note(refusal)
                    } else {
                        report.note(isNew: saved.isNew, isOtherwise: isOtherwise)
                    }
                case nil: continue
                case .failure(let error)?:
                    if let refusal = Self.refusal(error, write, among: stored, line: line, link: link) {
                        report.note(refusal)
                    } else {
                        report.note(isNew: false, isOtherwise: isOtherwise)
                    }
                }
            }
        }
    }

    /// Returns the reason why a link was not made although its name was found, or `nil` if it was made or exists.
    private static func refusal(
        _ saved: ShortLinkWriteResult,
        _ write: ShortLinkWrite,
        line: Int,
        link: String
    ) -> ImportRefusal? {
        guard case .given(let code, _) = write.code, saved.link.code != code else { return nil }
        return ImportRefusal(
            line: line,
            code: code.text,
            link: link,
            reason: "name-taken",
            message: "The link `\(saved.link.code.text)` has the name."
        )
    }

    /// Finds the links that conflict with writes, concurrently, so that the requests to a remote store overlap.
    private func storedLinks(
        _ slice: [ImportedLinks.Outcome],
        outcomes: [Result<ShortLinkWriteResult, ShortLinkWriteError>]
    ) async throws -> [ShortLinkCode: ShortLink] {
        let writes = slice.compactMap { if case .write(let write, _, _, _) = $0 { write } else { nil } }
        let codes = zip(writes, outcomes)
            .compactMap { write, outcome -> ShortLinkCode? in
                guard case .given(let code, _) = write.code, case .failure = outcome else { return nil }
                return code
            }
        return try await withThrowingTaskGroup(of: (ShortLinkCode, ShortLink?).self) { [store] group in
            for code in Set(codes) { group.addTask { (code, try await store.link(for: code).value.link) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// Returns the reason why a link was not made, or `nil` if it exists with the same destination.
    private static func refusal(
        _ error: ShortLinkWriteError,
        _ write: ShortLinkWrite,
        among found: [ShortLinkCode: ShortLink],
        line: Int,
        link: String
    ) -> ImportRefusal? {
        guard case .given(let code, _) = write.code else { return nil }
        func refused(_ reason: String, shape: String = "", _ message: String) -> ImportRefusal {
            ImportRefusal(line: line, code: code.text, link: link, reason: reason, shape: shape, message: message)
        }
        func taken(_ shape: String, _ message: String) -> ImportRefusal {
            refused("code-taken", shape: shape, message)
        }
        switch error {
        case .versionMismatch, .codeTaken:
            guard let stored = found[code] else {
                return taken("erased", "A link that was erased had the code.")
            }
            guard stored.code == code else {
                return taken("but for case", "The code is that of `\(stored.code.text)` but for case.")
            }
            guard !stored.contents.isWithdrawn || write.withdrawal == .withdrawn else {
                return taken("withdrawn", "The link was withdrawn, and leads nowhere.")
            }
            let (own, other) = (write.contents.target, stored.contents.target)
            guard own.shape != other.shape || own.values != other.values else { return nil }
            return taken("leads elsewhere", "The code leads to \(other.text) already.")
        case .nameTaken(let other): return refused("name-taken", "The link `\(other.code.text)` has the name.")
        case .tooManyLabels:
            return refused(
                "too-many-labels",
                "\(ShortLinkLabel.maximumCount) labels are in use, and this is a further one."
            )
        case .tooManyLinks, .answered: return refused("refused", "The store refused the link.")
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
    let audited = writes.map { write in
        var write = write
        write.terms.isAudited = audit.isKept
        return write
    }
    let saved = try await store.saveEach(audited)
    await audit.note(saved.compactMap { try? $0.get() })
    return saved
}
