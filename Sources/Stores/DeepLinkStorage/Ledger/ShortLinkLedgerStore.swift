/// A store that makes every change of short links through a ``WriteLedger``.
package protocol ShortLinkLedgerStore: LedgerStore, ShortLinkStore {
    /// The generator of random codes.
    var drawing: ShortLinkDrawing { get }
}

extension ShortLinkLedgerStore {
    package func save(_ write: ShortLinkWrite) async throws -> SavedShortLink {
        guard let outcome = try await saveEach([write]).first else { throw CodesUnavailableError() }
        return try outcome.get()
    }

    package func saveEach(
        _ writes: [ShortLinkWrite]
    ) async throws -> [Result<SavedShortLink, ShortLinkWriteError>] {
        var outcomes: [Int: Result<SavedShortLink, ShortLinkWriteError>] = [:]
        var open = Array(writes.indices)
        for _ in 0..<maximumDrawCount where !open.isEmpty {
            let drafts = open.map { ShortLinkDraft(writes[$0], drawing: drawing) }
            guard case .savedLinks(let results) = try await make(.saveLinks(drafts)) else { break }
            var collided: [Int] = []
            for (index, result) in zip(open, results) {
                switch result {
                case .success(let saved): outcomes[index] = .success(saved)
                case .failure(.refused(let error)): outcomes[index] = .failure(error)
                case .failure(.collision): collided.append(index)
                }
            }
            open = collided
        }
        return try writes.indices.map { index in
            guard let outcome = outcomes[index] else { throw CodesUnavailableError() }
            return outcome
        }
    }

    package func withdraw(_ removal: ShortLinkRemoval) async throws -> SavedShortLink? {
        guard case .withdrawn(let outcome) = try await make(.withdrawLink(removal)) else {
            throw CodesUnavailableError()
        }
        return try outcome.get()
    }
}

/// The maximum number of random codes to try for one link.
///
/// With ten characters and ten million links, one code in 10^8 is taken.
private let maximumDrawCount = 16

/// The fault of a generator that only returns codes that are taken.
private struct CodesUnavailableError: Error, CustomStringConvertible {
    let description = "No code could be drawn for a short link: the codes that were drawn are all taken."
}
