// The parts of React Navigation that the sample app uses, as its documentation has them.
declare module "@react-navigation/native" {
    export interface PartialState {
        readonly index: number;
        readonly routes: readonly { readonly name: string; readonly params?: object }[];
    }
    export interface NavigationContainerRefWithCurrent {
        isReady(): boolean;
        resetRoot(state: PartialState): void;
    }
}
