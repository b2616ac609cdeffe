import DeepLinkCore
import NIOPosix
import Synchronization

/// Stands still, and counts how often it is read on an event loop: what Hummingbird answers is never answered there.
final class LoopClock: Sendable {
    private let count = Atomic(0)

    /// The number of readings on an event loop.
    var readsOnLoops: Int { count.load(ordering: .relaxed) }

    func now() -> Timestamp {
        if MultiThreadedEventLoopGroup.currentEventLoop != nil { count.add(1, ordering: .relaxed) }
        return TestServer.now
    }
}
