import DeepLinkCore
package import DeepLinkStorage

extension RandomText {
    /// Draws characters of an alphabet that has some from the system's source of randomness.
    static func draw(_ count: Int, of alphabet: [UInt8]) -> String {
        var generator = SystemRandomNumberGenerator()
        return draw(count, of: alphabet, using: &generator)
    }
}

extension ServiceTokenID {
    /// Draws an id from the system's source of randomness.
    package init() {
        self.init(drawing: RandomText.draw)
    }
}

extension ContinuationID {
    /// Draws an id from the system's source of randomness.
    package init() {
        self.init(drawing: RandomText.draw)
    }
}
