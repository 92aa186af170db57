import type { Installation } from '../../identity/installation.ts';
import type { InstallRequest } from '../../identity/install-request.ts';
import type { Scope } from '../../identity/scope.ts';

export interface Consent {
  /** Of the installation that is created, if the app is not installed on the store. */
  readonly installationId: string;
  readonly scopes: readonly Scope[];
}

export interface InstallRequests {
  /**
   * Keeps the request for ten minutes, and returns when it expires, in ISO 8601. A store that has 1,000 of the app loses the
   * oldest of these.
   */
  create(request: Omit<InstallRequest, 'expiresAt'>): Promise<string>;
  /** Returns the request. Returns null when it has expired. Returns null when another store has it. */
  get(storeId: string, id: string): Promise<InstallRequest | null>;
  /**
   * Uses the request up. Installs its app on the store with the scopes. Where the app is installed, adds the scopes to those of
   * the installation, whose status stays. Adds the event address of the app, if it has one. Returns null and installs nothing when the request was used, has expired or is of
   * another store. Returns `not_asked`, installs nothing and leaves the request open when the app is suspended, or does not ask
   * for one of the scopes. Of two at the same time, one is used.
   */
  accept(storeId: string, id: string, consent: Consent): Promise<Installation | 'not_asked' | null>;
  /** Uses the request up. Returns false when it was used, has expired or is of another store. */
  refuse(storeId: string, id: string): Promise<boolean>;
  /** Deletes at most `limit` requests that have expired, and returns how many. */
  purge(limit: number): Promise<number>;
}
