/// Carries a ``LinkFailure`` out of the resolver's steps to ``resolve(_:userLevel:catalog:)``, where it is a value.
struct ResolverFailure: Error {
    let failure: LinkFailure
}
