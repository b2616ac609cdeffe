import DeepLinkComparison
import DeepLinkCore
import DeepLinkWeb

extension AssociatedHost {
    /// Reads the rules from the files that a server would return; it alone depends on both.
    static let reader: AssociationReader = { catalog, interruption in
        let files = AssociationFiles(catalog, interruption: interruption)
        return files.hosts.map { host in
            let terms = AssociationTerms(files, host: host)
            return AssociatedHost(host: host.bytewise, handed: terms.handed, kept: terms.kept)
        }
    }
}
