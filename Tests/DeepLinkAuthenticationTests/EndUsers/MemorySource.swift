import Synchronization

@testable import DeepLinkAuthentication

/// A source of keys in memory, which counts how often it is read and can be made to fail.
final class MemorySource: KeySetSource {
    private struct State {
        var document: [UInt8]?
        var readCount = 0
    }

    let name = "memory"
    let origin: KeySet.Origin
    let exposure: String? = nil
    private let state: Mutex<State>

    /// The duration of a reading.
    private let delay: Duration

    init(_ document: [UInt8]?, origin: KeySet.Origin = .file, delay: Duration = .zero) {
        self.origin = origin
        self.delay = delay
        state = Mutex(State(document: document))
    }

    /// The number of requests for the document.
    var readCount: Int { state.withLock(\.readCount) }

    /// Puts another document in place; `nil` for none, so that reading fails.
    func replace(with document: [UInt8]?) { state.withLock { $0.document = document } }

    func document() async throws(KeySetError) -> [UInt8] {
        let document = state.withLock { state in
            state.readCount += 1
            return state.document
        }
        if delay > .zero { try? await Task.sleep(for: delay) }
        guard let document else { throw .unavailable("The memory is empty.") }
        return document
    }
}
