package import DeepLinkCore

/// The holder of the keys by which signatures of links are checked.
///
/// The server's keys are one; an app, which has none, another; so that one rule decides for both without the engine for apps
/// depending on the modules of the server's keys (decision record 34).
package protocol SignatureVerifier {
    /// Checks the signature of a link.
    ///
    /// - Parameters:
    ///   - demand: the proof that the link has to bring.
    ///   - time: the moment that counts; `nil` if the link was in time already.
    /// - Throws: `Problem` of code `signature-required` or `invalid-signature`.
    func verify(_ demand: SignatureDemand, at time: Timestamp?) throws(Problem)
}
