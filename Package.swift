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
    ],
    targets: [
        .target(name: "DeepLinkCore", swiftSettings: settings),
    ]
)
