/// Lists what is checked of every kind of token; a new kind adds its function here.
private let laws: [@Sendable (FuzzInput) -> Void] = [
    ContinuationLaws.checkForgery, ContinuationLaws.checkSigned, ContinuationLaws.checkMinted,
    ServiceTokenLaws.checkText, ServiceTokenLaws.checkChanges, EndUserTokenLaws.checkText,
    EndUserTokenLaws.checkClaims,
]

/// Reads any bytes as a token, signed and unsigned, and mints tokens from them.
func fuzzToken(_ input: FuzzInput) {
    for law in laws { law(input) }
}
