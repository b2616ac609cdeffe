import Foundation
import NIOCore

/// The kernel's data about this process (proc(5), getrusage(2)).
enum ProcessStatus {
    /// The processor time of all threads since the process began, in seconds.
    static var processorSeconds: Double? {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return nil }
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000 }
    }

    /// The processors that the process may use: fewer than the machine has in a container with a limit.
    static var processorCount: Int { System.coreCount }

    /// The resident memory, in bytes.
    static var residentByteCount: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        return text.utf8.split(separator: UInt8(ascii: " ")).dropFirst().first.flatMap { Int(Substring($0)) }
            .map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }

    /// The number of open descriptors.
    static var openDescriptorCount: Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// The most descriptors that may be open.
    static var maximumDescriptorCount: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(exactly: limit.rlim_cur)
    }
}
