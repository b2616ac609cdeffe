package import DeepLinkCore

extension RoutePlan {
    /// The app of the stack, or `nil` for a stack of every app.
    package var app: AppIndex? {
        catalog.dividesApps ? edgeNumbers.lazy.compactMap { [catalog] in catalog.edges[$0].app }.first : nil
    }
}
