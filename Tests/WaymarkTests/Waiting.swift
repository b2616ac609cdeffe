import Testing

/// Waits until a process has brought something about; records an issue if it doesn't within three minutes, which a loaded
/// machine may need for what others do in a second.
func wait(for what: String, until isSo: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(180)
    while ContinuousClock.now < end {
        if try await isSo() { return }
        try await Task.sleep(for: .milliseconds(50))
    }
    Issue.record("\(what) did not happen")
}
