package import DeepLinkComparison
package import DeepLinkCore
import DeepLinkFormats
import NIOCore
import NIOPosix
import Synchronization

/// A function that reads the text of a catalog without a file name, unless it is interrupted.
package typealias CatalogReader =
    @Sendable (_ bytes: [UInt8], _ interruption: Interruption) throws(CatalogError) -> RouteCatalog

/// The queue of requested comparisons of catalogs.
///
/// It runs one at a time, on a separate thread, and none longer than a caller waits.
package final class ComparisonQueue: Sendable {
    /// The default time limit of a comparison.
    package static let usualDeadline = Duration.seconds(10)

    /// The maximum number of changes in a response.
    private static let maximumFindingCount = 1_000

    /// The maximum number of a candidate's issues in a response.
    private static let maximumIssueCount = 100

    private let isBusy = Atomic(false)
    private let readsCatalog: CatalogReader
    private let readsAssociations: AssociationReader
    private let deadline: Duration

    /// Creates an idle queue.
    ///
    /// - Parameters:
    ///   - readsCatalog: the function that reads the text of a candidate.
    ///   - readsAssociations: the function that reads the rules for operating systems from a catalog.
    ///   - deadline: the time limit of a comparison.
    package init(
        readsCatalog: @escaping CatalogReader,
        readsAssociations: @escaping AssociationReader = { _, _ in [] },
        deadline: Duration = usualDeadline
    ) {
        self.readsCatalog = readsCatalog
        self.readsAssociations = readsAssociations
        self.deadline = deadline
    }

    /// Compares the current catalog with the candidate in a body.
    ///
    /// - Throws: `Problem` with the code `overloaded` if another comparison is in progress or this one takes too long,
    ///   or `invalid-request` if the body isn't a catalog.
    func compare(_ call: EndpointRequest) async throws -> ComparisonReport {
        guard !isBusy.exchange(true, ordering: .acquiringAndReleasing) else { throw Problem.comparing }
        let end = ContinuousClock.now + deadline
        let (old, bytes) = (call.catalog, call.bytes)
        let answer = FirstResult()
        NIOThreadPool.singleton.submit { [self] _ in
            let result = Result { try report(from: old, to: bytes, until: end) }
            // The queue is free only when the thread is, even if no caller waits any more, and before a waiting caller
            // gets the result.
            isBusy.store(false, ordering: .releasing)
            answer.give(result)
        }
        let timer = Task {
            try? await Task.sleep(until: end, clock: .continuous)
            answer.give(.failure(Problem.comparisonTooLong))
        }
        defer { timer.cancel() }
        return try await answer.wait()
    }

    private func report(
        from old: RouteCatalog,
        to bytes: [UInt8],
        until end: ContinuousClock.Instant
    ) throws -> ComparisonReport {
        let interruption = Interruption { ContinuousClock.now > end }
        do {
            let new = try readsCatalog(bytes, interruption)
            try interruption.check()
            let comparison = try CatalogComparison(
                from: old,
                to: new,
                interruption: interruption,
                associations: readsAssociations
            )
            return comparison.report(namingFiles: false, listing: Self.maximumFindingCount)
        } catch let error as CatalogError {
            // An incompletely read part is not known to be faulty.
            guard !interruption.isDue else { throw Problem.comparisonTooLong }
            let issues = Array(error.issues.prefix(Self.maximumIssueCount))
            let first = issues.first.map { " Line \($0.location.line): \($0.message)" } ?? ""
            throw Problem.malformed(field: "body", detail: "The body isn't a catalog.\(first)")
                .adding(.init("issues", issues: issues))
        } catch is Interruption.Stop {
            throw Problem.comparisonTooLong
        }
    }
}

/// The first of several results for one comparison.
private final class FirstResult: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<ComparisonReport, any Error>)
        case given(Result<ComparisonReport, any Error>)
        case taken
    }

    private let state = Mutex(State.open)

    func give(_ answer: Result<ComparisonReport, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<ComparisonReport, any Error>? in
            switch state {
            case .open: state = .given(answer)
            case .awaited(let waiting):
                state = .taken
                return waiting
            case .given, .taken: break
            }
            return nil
        }
        waiting?.resume(with: answer)
    }

    func wait() async throws -> ComparisonReport {
        try await withCheckedThrowingContinuation { waiting in
            let answer = state.withLock { state -> Result<ComparisonReport, any Error>? in
                guard case .given(let answer) = state else {
                    state = .awaited(waiting)
                    return nil
                }
                state = .taken
                return answer
            }
            if let answer { waiting.resume(with: answer) }
        }
    }
}
