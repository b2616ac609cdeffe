import Foundation

/// A time of the monotonic clock, in nanoseconds, which is read without a system call (vdso(7)).
///
/// The clock stops while the machine is suspended, as other processes do.
package struct MonotonicInstant: Sendable {
    /// The nanoseconds since the start of the clock.
    package let nanoseconds: Int64

    /// Creates the time at a number of nanoseconds since the start of the clock.
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The current time.
    package static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(clock, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    #if os(Linux)
    // Accurate to some milliseconds. The finer clock is a system call on some virtual machines.
    private static let clock = CLOCK_MONOTONIC_COARSE
    #else
    private static let clock = CLOCK_MONOTONIC
    #endif

    /// Returns the time after a duration.
    package func advanced(by duration: Duration) -> MonotonicInstant {
        let (seconds, attoseconds) = duration.components
        return MonotonicInstant(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}

extension MonotonicInstant: Comparable {
    package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
