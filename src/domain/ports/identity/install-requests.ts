import type { AskedInstall } from '../../identity/install-request.ts';
import type { Installation } from '../../identity/installation.ts';
import type { Scope } from '../../identity/scope.ts';

export interface Consent {
  /** Id of the installation that is created, if the app is not installed on the store. */
  readonly installationId: string;
  readonly scopes: readonly Scope[];
}

/** The part of the request that a decision needs. The browser of the merchant brings it. */
export type DecidedInstall = Pick<AskedInstall, 'id' | 'storeId' | 'appId' | 'isKept'>;

export interface InstallRequests {
  /** Returns a request that a process of version 0.1.0 has kept. Returns null when it has expired. Returns null when another store has it. */
  get(storeId: string, id: string): Promise<AskedInstall | null>;
  /** Returns whether the request was decided, until it has expired. */
  isDecided(storeId: string, id: string): Promise<boolean>;
  /**
   * Uses the request up. Installs its app on the store with the scopes. Where the app is installed, adds the scopes to those of
   * the installation, whose status stays. Adds the event address of the app, if it has one. Returns null and installs nothing when the request was used.
   * Returns `not_asked`, installs nothing and leaves the request open when the app is suspended, or does not ask
   * for one of the scopes. Of two at the same time, one is used. Uses up a request that a process of version 0.1.0 has kept, for that process too.
   */
  accept(request: DecidedInstall, consent: Consent): Promise<Installation | 'not_asked' | null>;
  /** Uses the request up. Returns false when it was used. */
  refuse(request: DecidedInstall): Promise<boolean>;
  /** Deletes at most `limit` requests that have expired, and returns how many. */
  purge(limit: number): Promise<number>;
}
