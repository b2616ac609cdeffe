import Foundation

/// A progress bar for a long operation on a terminal; elsewhere it shows nothing.
struct ProgressBar {
    private static let width = 40

    private let total: Int
    private let isShown: Bool
    private var shownPercent = -1

    /// Creates a bar for a number of steps.
    init(total: Int) {
        self.total = max(1, total)
        isShown = isatty(FileHandle.standardError.fileDescriptor) == 1
    }

    /// Sets the number of completed steps; draws only when the percentage changes.
    mutating func update(_ done: Int) {
        let percent = done * 100 / total
        guard isShown, percent != shownPercent else { return }
        shownPercent = percent
        let filled = done * Self.width / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        write("\r\(bar) \(percent) %")
    }

    /// Removes the bar from the terminal.
    func finish() {
        if isShown, shownPercent >= 0 { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
