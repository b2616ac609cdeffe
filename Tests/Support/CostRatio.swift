import Foundation

/// The cost of one thing beside that of another, in one run: the least of several times each, taken by turns.
package struct CostRatio: CustomStringConvertible {
    /// How long the thing takes, in milliseconds.
    package let milliseconds: Double

    /// How long the other takes, in milliseconds.
    package let plainMilliseconds: Double

    /// How many times as long as the other the thing takes.
    package var value: Double { milliseconds / plainMilliseconds }

    package var description: String {
        String(format: "%9.2f ms, plain %7.2f ms, × %.1f", milliseconds, plainMilliseconds, value)
    }

    /// Measures both, `count` times each.
    package init(count: Int = 3, of body: () async throws -> Void, over plain: () async throws -> Void) async rethrows {
        let clock = ContinuousClock()
        var times = (Duration.seconds(3600), Duration.seconds(3600))
        for _ in 0..<count {
            times.1 = min(times.1, try await clock.measure { try await plain() })
            times.0 = min(times.0, try await clock.measure { try await body() })
        }
        milliseconds = times.0 / .milliseconds(1)
        plainMilliseconds = times.1 / .milliseconds(1)
    }
}
