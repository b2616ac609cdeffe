import Foundation

/// The memory of this process at its worst (getrusage(2)).
enum PeakMemory {
    /// Returns the growth of the process at the worst moment of a body, in bytes; 0 if that is not known.
    static func growth(_ body: () -> Void) -> Int {
        // Forgets the worst moment so far (proc_pid_clear_refs(5)): from now on the worst is that of the body.
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = peak
        body()
        return peak - before
    }

    private static var peak: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1024
    }
}
