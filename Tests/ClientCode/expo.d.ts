// The parts of Expo Router, React and two packages of Expo that the app's page uses, as they declare them. The paths are those of
// the repository expo/expo, at the version in which packages/expo-router/package.json says 57.0.9 (SDK 57).
declare module "expo-router" {
    // packages/expo-router/src/react-navigation/routers/types.ts, which has taken React Navigation's place since SDK 56
    type ParamListBase = Record<string, object | undefined>;
    type Route<RouteName extends string> = Readonly<{
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
    type PartialRoute<R extends Route<string>> = Omit<R, "key"> & { key?: string; state?: PartialState<NavigationState> };
    export type PartialState<State extends NavigationState> = Partial<Omit<State, "stale" | "routes">> & Readonly<{
        stale?: true;
        routes: PartialRoute<Route<State["routeNames"][number]>>[];
    }>;
    // packages/expo-router/src/react-navigation/core/types.tsx
    type EventMap = { ready: undefined; state: { state: NavigationState | PartialState<NavigationState> | undefined } };
    interface NavigationContainerRef {
        isReady(): boolean;
        resetRoot(state?: PartialState<NavigationState> | NavigationState): void;
        getRootState(): NavigationState;
        addListener<Name extends keyof EventMap>(type: Name, callback: (event: { readonly data: EventMap[Name] }) => void): () => void;
    }
    // packages/expo-router/src/hooks.ts
    export function useNavigationContainerRef(): NavigationContainerRef & { current: NavigationContainerRef | null };
    // packages/expo-router/src/types.ts
    export type NativeIntent = {
        redirectSystemPath?: (event: { path: string; initial: boolean }) => Promise<string | null> | string | null;
        legacy_subscribe?: (listener: (url: string) => void) => undefined | void | (() => void);
    };
    // packages/expo-router/src/link/Link.tsx, layouts/Stack.tsx and layouts/Tabs.tsx, without the options that the page leaves out
    type ReactNode = import("react").ReactNode;
    type ReactElement = import("react").ReactElement;
    export function Link(props: { readonly href: string; readonly children?: ReactNode }): ReactElement;
    export function Stack(props: { readonly children?: ReactNode; readonly screenOptions?: object }): ReactElement;
    export function Tabs(props: { readonly children?: ReactNode }): ReactElement;
    export function useLocalSearchParams(): { readonly [name: string]: string | string[] };
}
declare module "react" {
    // types/react/index.d.ts of DefinitelyTyped, 19
    export interface ReactElement { readonly type: unknown; readonly props: unknown }
    export type ReactNode = string | number | boolean | null | undefined | ReactElement | readonly ReactNode[];
    export function useEffect(effect: () => void | (() => void), dependencies?: readonly unknown[]): void;
    export function useSyncExternalStore<Snapshot>(
        subscribe: (changed: () => void) => () => void, snapshot: () => Snapshot, onServer?: () => Snapshot,
    ): Snapshot;
}
declare module "react/jsx-runtime" {
    // types/react/jsx-runtime.d.ts of DefinitelyTyped, 19
    export namespace JSX {
        type Element = import("react").ReactElement;
        interface ElementChildrenAttribute { children: {} }
        interface IntrinsicElements {}
    }
    export function jsx(type: unknown, props: object): JSX.Element;
    export function jsxs(type: unknown, props: object): JSX.Element;
    export function Fragment(props: { readonly children?: import("react").ReactNode }): JSX.Element;
}
declare module "react-native" {
    // packages/react-native/Libraries/Text/Text.d.ts, Components/Button.d.ts of react-native 0.83
    type ReactElement = import("react").ReactElement;
    export function Text(props: { readonly children?: import("react").ReactNode }): ReactElement;
    export function Button(props: { readonly title: string; readonly onPress: () => void }): ReactElement;
}
declare module "expo-sqlite/kv-store" {
    // packages/expo-sqlite/src/Storage.ts
    const storage: {
        getItemSync(key: string): string | null;
        setItemSync(key: string, value: string | ((previous: string | null) => string)): void;
        removeItemSync(key: string): boolean;
    };
    export default storage;
}
declare function require(path: string): unknown;
declare module "@noble/curves/ed25519" {
    // abstract/edwards.d.ts of version 1
    export const ed25519: { verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean };
}
