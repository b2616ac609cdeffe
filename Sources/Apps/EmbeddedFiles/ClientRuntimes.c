#include "ClientRuntimes.h"

static const uint8_t swift_values[] = {
#embed "../WaymarkRuntime/WaymarkValues.swift"
};
static const uint8_t swift_plan[] = {
#embed "../WaymarkRuntime/WaymarkPlan.swift"
};
static const uint8_t swift_navigation[] = {
#embed "../WaymarkRuntime/WaymarkNavigation.swift"
};
static const uint8_t swift_tree[] = {
#embed "../WaymarkRuntime/WaymarkNavigationTree.swift"
};
static const uint8_t swift_navigator[] = {
#embed "../WaymarkRuntime/WaymarkNavigator.swift"
};
static const uint8_t swift_client[] = {
#embed "../WaymarkRuntime/WaymarkClient.swift"
};
static const uint8_t swift_arrival[] = {
#embed "../WaymarkRuntime/WaymarkArrival.swift"
};
static const uint8_t swift_ui[] = {
#embed "../WaymarkRuntime/WaymarkSwiftUI.swift"
};
static const uint8_t typescript_runtime[] = {
#embed "TypeScript/waymark-runtime.ts"
};
static const uint8_t typescript_navigation[] = {
#embed "TypeScript/waymark-navigation.ts"
};
static const uint8_t typescript_navigator[] = {
#embed "TypeScript/waymark-navigator.ts"
};
static const uint8_t typescript_arrival[] = {
#embed "TypeScript/waymark-arrival.ts"
};
static const uint8_t typescript_engine[] = {
#embed "TypeScript/waymark-engine.ts"
};
static const uint8_t kotlin_runtime[] = {
#embed "Kotlin/WaymarkRuntime.kt"
};
static const uint8_t kotlin_navigation[] = {
#embed "Kotlin/WaymarkNavigation.kt"
};
static const uint8_t kotlin_navigator[] = {
#embed "Kotlin/WaymarkNavigator.kt"
};
static const uint8_t kotlin_http[] = {
#embed "Kotlin/WaymarkHttp.kt"
};
static const uint8_t kotlin_arrival[] = {
#embed "Kotlin/WaymarkArrival.kt"
};
static const uint8_t kotlin_engine[] = {
#embed "Kotlin/WaymarkEngine.kt"
};
static const uint8_t kotlin_engine_jni[] = {
#embed "Kotlin/waymark_engine_jni.c"
};
static const uint8_t expo_router[] = {
#embed "TypeScript/Expo/waymark-expo.ts"
};
static const uint8_t expo_native_intent[] = {
#embed "TypeScript/Expo/+native-intent.tsx"
};
static const uint8_t navigation3[] = {
#embed "Kotlin/WaymarkNavigation3.kt"
};

#define FILE(language, name, bytes) {language, name, bytes, sizeof bytes}

static const struct client_runtime_file files[] = {
    FILE("swift", "WaymarkValues.swift", swift_values),
    FILE("swift", "WaymarkPlan.swift", swift_plan),
    FILE("swift", "WaymarkNavigation.swift", swift_navigation),
    FILE("swift", "WaymarkNavigationTree.swift", swift_tree),
    FILE("swift", "WaymarkNavigator.swift", swift_navigator),
    FILE("swift", "WaymarkClient.swift", swift_client),
    FILE("swift", "WaymarkArrival.swift", swift_arrival),
    FILE("swift", "WaymarkSwiftUI.swift", swift_ui),
    FILE("typescript", "waymark-runtime.ts", typescript_runtime),
    FILE("typescript", "waymark-navigation.ts", typescript_navigation),
    FILE("typescript", "waymark-navigator.ts", typescript_navigator),
    FILE("typescript", "waymark-arrival.ts", typescript_arrival),
    FILE("typescript", "waymark-engine.ts", typescript_engine),
    FILE("kotlin", "WaymarkRuntime.kt", kotlin_runtime),
    FILE("kotlin", "WaymarkNavigation.kt", kotlin_navigation),
    FILE("kotlin", "WaymarkNavigator.kt", kotlin_navigator),
    FILE("kotlin", "WaymarkHttp.kt", kotlin_http),
    FILE("kotlin", "WaymarkArrival.kt", kotlin_arrival),
    FILE("kotlin", "WaymarkEngine.kt", kotlin_engine),
    FILE("kotlin", "waymark_engine_jni.c", kotlin_engine_jni),
    FILE("expo", "waymark-expo.ts", expo_router),
    FILE("expo", "app/+native-intent.tsx", expo_native_intent),
    FILE("navigation3", "WaymarkNavigation3.kt", navigation3),
};

const struct client_runtime_file *client_runtime_files(void) { return files; }

size_t client_runtime_file_count(void) { return sizeof files / sizeof files[0]; }
