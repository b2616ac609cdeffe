package import DeepLinkCore
import Glibc

/// The system's clock.
package enum SystemClock {
    /// Returns the present moment, in milliseconds.
    ///
    /// A request asks for it several times; Foundation's `Date` takes twice as long.
    package static let now: @Sendable () -> Timestamp = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(millisecondsSinceEpoch: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
