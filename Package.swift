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

let package = Package(
    name: "waymark",
    products: [
        .library(name: "DeepLinkCore", targets: ["DeepLinkCore"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        .target(
            name: "DeepLinkStore",
            dependencies: ["DeepLinkCore", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: settings
        ),
        .target(
            name: "DeepLinkCatalog",
            dependencies: [
                "DeepLinkCore",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings
        ),
        .target(name: "DeepLinkCore", swiftSettings: settings),
    ]
)
