// swift-format-ignore-file
// A use of the Swift code of any catalog, with its fixtures: `scripts/prove generated` compiles and runs it.
import Foundation

struct Fixtures: Decodable {
    let catalogVersion: String
    let destinations: [WaymarkDestination<AppRoute>]
}

let data = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
let fixtures = try JSONDecoder().decode(Fixtures.self, from: data)
let destinations = fixtures.destinations
let known = destinations.compactMap(\.route.known)
guard fixtures.catalogVersion == AppRoute.catalogVersion, !known.isEmpty, known.count == destinations.count else {
    print("swift: unknown: \(destinations.first { $0.route.known == nil }?.route.name ?? "the version")")
    exit(1)
}
// Each is itself, and no other: by name, by values, by hash, and as read back.
for (destination, route) in zip(destinations, known) {
    let again = try AppRoute(name: route.name, parameters: route.parameters)
    guard again == route, again?.hashValue == route.hashValue, route.name == destination.route.name,
        WaymarkDestination(route, presentation: destination.presentation) == destination
    else {
        print("swift: \(destination) is read as \(String(describing: again))")
        exit(1)
    }
}
struct Place: Hashable { let name: String; let parameters: ParameterContainer }
guard Set(known).count == Set(known.map { Place(name: $0.name, parameters: $0.parameters) }).count,
    try AppRoute(name: "no such route", parameters: ParameterContainer()) == nil
else {
    print("swift: routes are taken for each other")
    exit(1)
}
print("swift: \(known.count) fixtures are known, and each is itself")
