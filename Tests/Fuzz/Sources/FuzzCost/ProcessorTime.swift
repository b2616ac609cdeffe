import Foundation

/// The processor's time that this thread has used, in nanoseconds (clock_gettime(2)).
enum ProcessorTime {
    /// Returns the least time that a body takes in three attempts.
    static func least(_ body: () -> Void) -> UInt64 {
        (0..<3)
            .map { _ in
                let start = now
                body()
                return now - start
            }
            .min() ?? 0
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
