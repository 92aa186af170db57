import type { Scope } from './scope.ts';

/** A request that nobody decides ends after this many seconds. */
export const INSTALL_REQUEST_SECONDS = 600;

/** A request has a long text, which the log cuts as it cuts credentials. */
export const INSTALL_REQUEST_PREFIX = 'tnn_ir_';

/** A request of an app to the merchant of a store. */
export interface AskedInstall {
  readonly id: string;
  readonly storeId: string;
  readonly appId: string;
  /** Sorted, each once. */
  readonly scopes: readonly Scope[];
  /** Must be listed by the app. */
  readonly redirectUrl: string;
  /** Opaque to Tenon; returned to the app. */
  readonly state: string | null;
  /** Milliseconds. */
  readonly expiresAt: number;
  /** True if a process of version 0.1.0 has kept the request in the database. */
  readonly isKept: boolean;
}

/** Address for the merchant's browser after the decision. `answer` is added to it, with the state. */
export const redirectTo = (
  { redirectUrl, state }: Pick<AskedInstall, 'redirectUrl' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string => {
  const query = new URLSearchParams({ ...answer, ...(state !== null && { state }) });
  return `${redirectUrl}${redirectUrl.includes('?') ? '&' : '?'}${query.toString()}`;
};
