import DeepLinkAuthentication
import DeepLinkStorage
import Logging

extension Server {
    /// Returns the logins of persons to the console, whose sessions are sealed by the keys of continuations, which all
    /// replicas share; `nil` if no provider is set.
    ///
    /// - Throws: ``CommandError`` of code 64 without the client's secret.
    func personLogin(_ store: any OpenStore) async throws -> PersonLogin? {
        guard let login = settings.login else { return nil }
        guard !login.clientSecret.isEmpty else {
            throw CommandError(
                .usage,
                message:
                    "console.oidc.issuer is set and console.oidc.clientSecret is not, so nobody could log in to the "
                    + "console; set it by \(settings.waysToSet(.consoleClientSecret))."
            )
        }
        logger.info("People log in to the console.", metadata: ["issuer": "\(login.issuer)"])
        return PersonLogin(login, secrets: try await continuationKeys(store), logger: logger)
    }
}
