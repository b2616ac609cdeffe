/// Draws texts that nobody can guess, from the system's source of randomness.
package enum RandomText {
    /// Draws characters of an alphabet, each as likely as any other.
    package static func draw(_ count: Int, of alphabet: [UInt8]) -> String {
        var generator = SystemRandomNumberGenerator()
        return String(
            decoding: (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] },
            as: UTF8.self
        )
    }
}
