import Foundation

/// A moment of a clock that is read without a system call (vdso(7)), in nanoseconds.
///
/// The clock stands while the machine is suspended, as other processes do.
package struct Moment: Sendable {
    let nanoseconds: Int64

    /// The present moment.
    package static var now: Moment {
        var time = timespec()
        clock_gettime(clock, &time)
        return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    #if os(Linux)
    // Some milliseconds coarse; the finer clock is a system call on some virtual machines.
    private static let clock = CLOCK_MONOTONIC_COARSE
    #else
    private static let clock = CLOCK_MONOTONIC
    #endif
}
