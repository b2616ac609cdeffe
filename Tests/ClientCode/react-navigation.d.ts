// The parts of React Navigation, React Native and two packages that the sample app uses, as they declare them.
declare module "@react-navigation/native" {
    // packages/routers/src/types.tsx of React Navigation 7
    export type ParamListBase = Record<string, object | undefined>;
    export type Route<RouteName extends string> = Readonly<{
        key: string; name: RouteName; path?: string; params?: Readonly<object | undefined>;
    }>;
    export type NavigationState<ParamList extends ParamListBase = ParamListBase> = Readonly<{
        key: string;
        index: number;
        routeNames: Extract<keyof ParamList, string>[];
        history?: unknown[];
        routes: (Route<Extract<keyof ParamList, string>> & { state?: NavigationState | PartialState<NavigationState> })[];
        type: string;
        stale: false;
    }>;
    export type PartialRoute<R extends Route<string>> =
        Omit<R, "key"> & { key?: string; state?: PartialState<NavigationState> };
    export type PartialState<State extends NavigationState> = Partial<Omit<State, "stale" | "routes">> & Readonly<{
        stale?: true;
        routes: PartialRoute<Route<State["routeNames"][number]>>[];
    }>;
    // packages/core/src/types.tsx of React Navigation 7
    export interface NavigationContainerRefWithCurrent<ParamList extends {}> {
        isReady(): boolean;
        resetRoot(state?: PartialState<NavigationState> | NavigationState): void;
        getRootState(): NavigationState<ParamList & ParamListBase>;
    }
}
declare module "react-native" {
    // Libraries/Linking/Linking.d.ts of React Native 0.76
    export const Linking: {
        getInitialURL(): Promise<string | null>;
        addEventListener(type: "url", handler: (event: { url: string }) => void): { remove(): void };
    };
}
declare function require(path: string): unknown;
declare module "@react-native-async-storage/async-storage" {
    // lib/typescript/types.d.ts of version 2
    const storage: { getItem(key: string): Promise<string | null>; setItem(key: string, value: string): Promise<void> };
    export default storage;
}
declare module "@noble/curves/ed25519" {
    // abstract/edwards.d.ts of version 1
    export const ed25519: { verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean };
}
