import Foundation

/// The memory of this process at its worst (proc_pid_status(5)).
enum PeakMemory {
    /// Returns the growth of the process at the worst moment of a body, in bytes; 0 if that is not known.
    static func growth(_ body: () -> Void) -> Int {
        // Forgets the worst moment so far (proc_pid_clear_refs(5)).
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = value(of: "VmRSS")
        body()
        return max(0, value(of: "VmHWM") - before)
    }

    private static func value(of name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1024 } ?? 0
    }
}
