import Foundation

/// The processor time that is spent, in nanoseconds (clock_gettime(2)): what others do on a busy machine is not in it.
package enum ProcessorTime {
    /// The time that this thread has spent.
    package static var ofThread: Double { read(CLOCK_THREAD_CPUTIME_ID) }

    /// The time that all threads of this process have spent.
    package static var ofProcess: Double { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// Returns the least time that this thread spends on some work in several attempts.
    package static func least(of count: Int = 3, _ work: () throws -> Void) rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<count {
            let start = ofThread
            try work()
            least = min(least, ofThread - start)
        }
        return least
    }
}
