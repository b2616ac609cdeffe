import DeepLinkStorage
import Synchronization
import WaymarkTestSupport

extension ShortLinkCodeGenerator {
    /// A source that draws the same codes in every run.
    static func seeded() -> ShortLinkCodeGenerator {
        let seeds = Seeds()
        return ShortLinkCodeGenerator { count in
            var generator = SeededGenerator(seed: seeds.next())
            return ShortLinkCode(drawing: count, from: &generator)
        }
    }

    private final class Seeds: Sendable {
        private let last = Mutex<UInt64>(0)

        func next() -> UInt64 {
            last.withLock { last in
                last += 1
                return last
            }
        }
    }
}
