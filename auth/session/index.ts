export * from './core.ts';
export { useAuthRequest, useAuthRequestResult, useLoadedAuthRequest } from './use-auth-request.ts';
export type { PromptAsync } from './use-auth-request.ts';
export { useAutoDiscovery } from './use-discovery.ts';
export type { AutoDiscoveryOptions } from './use-discovery.ts';
