/** The part of React Native that is used: the app has the package, this repository does not. */
declare module 'react-native' {
  export const TurboModuleRegistry: {
    get(name: 'SourceCode'): { getConstants(): { scriptURL?: string } } | null;
  };
}
