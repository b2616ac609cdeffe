import DeepLinkCore

extension CatalogBody {
    /// Writes the declared levels and grants, and the gates that give them.
    func writeAccess(of catalog: RouteCatalog, to writer: inout JSONWriter) {
        let (levels, grants) = (catalog.levels, catalog.grants)
        if levels.isDeclared {
            writer.member("levels", array: levels.all) { writer, level in
                write(
                    levels.text(of: level),
                    formerNames: levels.formerNames.filter { $0.level == level }.map { $0.name.text },
                    isFromApp: level > .lowest && level <= levels.highestFromApp,
                    to: &writer
                )
            }
        }
        if !grants.isEmpty {
            writer.member("grants", array: grants.names.indices.map { Grant(place: UInt8($0)) }) { writer, grant in
                write(
                    grants.text(of: grant),
                    formerNames: grants.formerNames.filter { $0.grant == grant }.map { $0.name.text },
                    isFromApp: grants.fromApp.contains(grant),
                    to: &writer
                )
            }
        }
        writer.member("gates") { writer in
            for gate in catalog.gatesInOrder {
                writer.key(catalog.text(of: gate.gives))
                guard let over = gate.over else {
                    writer.string(gate.link)
                    continue
                }
                writer.object { writer in
                    writer.member("link", gate.link)
                    writer.member("over", over.name)
                }
            }
        }
    }

    /// Writes a level or a grant, as its name alone if it has no other properties.
    private func write(
        _ name: String,
        formerNames: [String],
        isFromApp: Bool,
        to writer: inout JSONWriter
    ) {
        guard !formerNames.isEmpty || isFromApp else { return writer.string(name) }
        writer.object { writer in
            writer.member("name", name)
            if !formerNames.isEmpty { writer.member("was", texts: formerNames) }
            guard isFromApp else { return }
            writer.member("from", "app")
        }
    }
}
