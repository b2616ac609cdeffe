/// A store that refuses changes after a failure, and accepts them again once it is usable.
package protocol WriteRetrying: Sendable {
    /// Accepts changes again if they are refused and the store is usable.
    func retryWriting() async
}

extension WriteRetrying {
    /// Retries every second until cancelled, so that a store accepts changes again without a restart.
    package func keepRetryingWrites() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil { await retryWriting() }
    }
}
