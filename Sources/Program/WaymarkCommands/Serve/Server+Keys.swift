import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkHTTP
import Logging
import ServiceLifecycle

extension Server {
    /// Returns the services that read the keys of tokens again: those of end users, and of the console's provider.
    func keyRefreshers(_ parts: ServerParts) -> [any Service] {
        [parts.authentication.endUsers?.refresher, parts.login?.refresher].compactMap { $0 as (any Service)? }
    }

    /// Returns the services that follow the link-signing keys, if they are in a file.
    func signingKeyWatches(_ parts: ServerParts) -> [any Service] {
        guard case .file(let file)? = settings.signingKeys else {
            if settings.signingKeys == nil, parts.catalog.current.hasSignedRoutes {
                logger.warning(
                    "Routes are signed, but no keys are set: their links are refused. Set \(Setting.signingKeys.rawValue) or \(Setting.signingSecrets.rawValue)."
                )
            }
            return []
        }
        return [SigningKeyWatch(file: file, keys: parts.signingKeys, logger: logger)]
    }
}
