import type { Scope } from './scope.ts';

/** A request that nobody decides ends after this many seconds. */
export const INSTALL_REQUEST_SECONDS = 600;

/** Anybody can make a request in the name of an app. A store keeps this many of an app that nobody has decided: the newest. */
export const MAX_INSTALL_REQUESTS = 1_000;

/** What an app asks the merchant of a store for. */
export interface InstallRequest {
  readonly id: string;
  readonly storeId: string;
  readonly appId: string;
  /** Sorted, each once. */
  readonly scopes: readonly Scope[];
  /** One of the app's. */
  readonly redirectUrl: string;
  /** What the app gave, to be returned to it. */
  readonly state: string | null;
  readonly expiresAt: string;
}

/** Where the merchant's browser goes after the decision. `answer` is added to the address, with the state. */
export const redirectTo = (
  { redirectUrl, state }: Pick<InstallRequest, 'redirectUrl' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string => {
  const query = new URLSearchParams({ ...answer, ...(state !== null && { state }) });
  return `${redirectUrl}${redirectUrl.includes('?') ? '&' : '?'}${query.toString()}`;
};
