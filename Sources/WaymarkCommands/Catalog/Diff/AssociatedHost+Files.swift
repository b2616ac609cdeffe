import DeepLinkAssociation
import DeepLinkComparison
import DeepLinkCore

extension AssociatedHost {
    /// Reads the rules off the files that a server would answer with: the one place that knows both.
    static let reader: AssociationReader = { catalog in
        let files = AssociationFiles(catalog)
        return files.hosts.map { host in
            let terms = AssociationTerms(files, host: host)
            return AssociatedHost(host: host.bytewise, handed: terms.handed, kept: terms.kept)
        }
    }
}
