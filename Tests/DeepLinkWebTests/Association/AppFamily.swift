import DeepLinkCatalog
import DeepLinkCore

/// A family of two apps that share a host: one for riders, one for drivers.
enum AppFamily {
    /// The catalog's text.
    static let text = """
        version: 1
        origins: [{ scheme: https, hosts: [ride.example] }]
        apps:
          rider:
            was: unnamed
            ios:
              - appID: ABCDE12345.com.example.rider
                storeID: 111111111
                scheme: rider
                webCredentials: true
                clip: ABCDE12345.com.example.rider.Clip
            android: [{ package: com.example.rider, fingerprints: ["\(fingerprint)"], loginCredentials: true }]
          driver:
            ios: [{ appID: ABCDE12345.com.example.driver, storeID: 222222222, scheme: driver }]
            android: [{ package: com.example.driver, fingerprints: ["\(fingerprint)"] }]
        entry: { home: root }
        routes:
          home: { path: "", opens: { profile: push, trip: push, shift: push, terms: push } }
          profile: {}
          trip: { path: "trips/{id}", parameters: { id: int }, app: rider }
          shift: { path: "shifts/{id}", parameters: { id: int }, app: driver }
          terms: { web: { open: web } }
        """

    /// The SHA-256 fingerprint of both packages.
    static let fingerprint = Array(repeating: "AA", count: 32).joined(separator: ":")

    /// Loads the catalog, with an edit of its text.
    static func catalog(_ old: String = "", _ new: String = "") throws -> RouteCatalog {
        let edited = old.isEmpty ? text : text.replacing(old, with: new)
        return try CatalogLoader.load(Array(edited.utf8), file: "family.yaml")
    }
}
