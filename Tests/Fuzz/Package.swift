// swift-tools-version:6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let core: Target.Dependency = .product(name: "DeepLinkCore", package: "waymark")
let authentication: Target.Dependency = .product(name: "DeepLinkAuthentication", package: "waymark")
let catalog: Target.Dependency = .product(name: "DeepLinkCatalog", package: "waymark")
let formats: Target.Dependency = .product(name: "DeepLinkFormats", package: "waymark")
let users: Target.Dependency = .product(name: "DeepLinkUsers", package: "waymark")
let web: Target.Dependency = .product(name: "DeepLinkWeb", package: "waymark")
let http: Target.Dependency = .product(name: "DeepLinkHTTP", package: "waymark")

/// One fuzz target: an executable whose `main` is libFuzzer's.
func fuzzer(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["FuzzSupport", core, catalog, formats] + dependencies,
        swiftSettings: settings
    )
}

// `scripts/fuzz` builds and runs these; libFuzzer comes with the option that it gives to the build.
let package = Package(
    name: "fuzz",
    dependencies: [
        .package(name: "waymark", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    ],
    targets: [
        .target(name: "FuzzSupport", dependencies: [core, catalog, formats], swiftSettings: settings),
        fuzzer("FuzzLink"),
        fuzzer("FuzzCatalog"),
        fuzzer("FuzzJSON", [authentication, http, users, .product(name: "HTTPTypes", package: "swift-http-types")]),
        fuzzer("FuzzToken", [authentication, .product(name: "Crypto", package: "swift-crypto")]),
        fuzzer("FuzzCost", [authentication, http, users, web, .product(name: "Crypto", package: "swift-crypto")]),
    ]
)
