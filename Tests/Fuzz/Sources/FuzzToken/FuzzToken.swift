import FuzzSupport

/// Lists what is checked of every kind of token; a new kind adds its function here.
private let laws: [@Sendable (FuzzInput) -> Void] = [
    ContinuationLaws.checkForgery, ContinuationLaws.checkSigned, ContinuationLaws.checkMinted,
    ServiceTokenLaws.checkText, ServiceTokenLaws.checkChanges, EndUserTokenLaws.checkText,
    EndUserTokenLaws.checkClaims,
]

/// Reads any bytes as a token, signed and unsigned, and mints tokens from them.
@c(LLVMFuzzerTestOneInput)
public func fuzzToken(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = FuzzInput(start, count)
    for law in laws { law(input) }
    return 0
}
