package import DeepLinkCore

extension ServiceTokenID {
    /// Draws an id that no other test has.
    package static func random() -> ServiceTokenID {
        var generator = SystemRandomNumberGenerator()
        return ServiceTokenID(using: &generator)
    }
}

extension ContinuationID {
    /// Draws an id that no other test has.
    package static func random() -> ContinuationID {
        var generator = SystemRandomNumberGenerator()
        return ContinuationID(using: &generator)
    }
}
