import type { Installation, InstallationStatus, SettableStatus } from '../../identity/installation.ts';
import type { PlacedPage, PlacedPageOf } from '../../page.ts';
import type { Scope } from '../../identity/scope.ts';
import type { StoreStatus } from '../../identity/store.ts';

/** Hex. */
export interface HashedSecret {
  readonly id: string;
  readonly hash: string;
}

/** A secret that Secrets.seal made, with the installation's id as context. */
export interface SealedSecret {
  readonly id: string;
  readonly sealed: string;
}

export interface NewInstallation {
  readonly id: string;
  readonly storeId: string;
  readonly name: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly clientSecret: HashedSecret;
  readonly signingSecret: SealedSecret;
}

export interface InstallationChanges {
  readonly name?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly status?: SettableStatus | undefined;
}

export interface ClientCredentials {
  readonly storeId: string;
  readonly installationId: string;
  /** Null for an app of one store. */
  readonly platformAppId: string | null;
  readonly scopes: readonly Scope[];
  readonly status: InstallationStatus;
  readonly storeStatus: StoreStatus;
  /** Hashes of the secrets that are valid now by the database's clock, in hex. */
  readonly secretHashes: readonly string[];
}

export interface Rotated {
  /** When the last of the older secrets ends. ISO 8601. */
  readonly previousExpiresAt: string;
}

/** The most of each kind that a preview of an uninstall counts. */
export const MAX_PREVIEWED = 100_000;

/** Counts of what an uninstall would end now. */
export interface UninstallPreview {
  /** Queued deliveries, which would be dropped. */
  readonly deliveries: number;
  readonly subscriptions: number;
  /** Access tokens that are valid now. */
  readonly tokens: number;
  /** Media imports that have not ended. */
  readonly mediaImports: number;
  readonly isComplete: boolean;
}

export interface InstallationFilter {
  /** A text in the name, in any case, beyond ASCII too; or the id or the client id, or 8 or more of its first characters. */
  readonly q?: string | undefined;
  readonly statuses?: readonly InstallationStatus[] | undefined;
  readonly ids?: readonly string[] | undefined;
}

export interface InstallationRepository {
  /**
   * Creates an installed app with its first secrets. Returns null and writes nothing when the store
   * does not exist.
   */
  create(installation: NewInstallation): Promise<Installation | null>;
  /**
   * Returns the installation. Shows until when an older client secret and an older signing secret
   * are valid, and null where only the newest is. Shows no such time of an uninstalled app. Returns
   * null when the store does not have the installation.
   */
  get(storeId: string, id: string): Promise<Installation | null>;
  /**
   * Returns a page of the store's installations by creation, then id, also those that were
   * uninstalled. Returns only installations that match every filter. Begins behind the place, if one is
   * given. Counts all that match, also before the place. Returns null when the store does not exist.
   */
  list(storeId: string, page: PlacedPage, filter?: InstallationFilter): Promise<PlacedPageOf<Installation> | null>;
  /**
   * Changes the given fields and sets updatedAt. Returns null when the store does not have the installation.
   * Returns `uninstalled` and changes nothing when the app was uninstalled. A suspended app loses
   * its tokens and console sessions for good. A suspended app has its attempts in flight stopped and its queued
   * deliveries held as they are. When scopes are removed, attempts in flight stop and queued
   * deliveries that need these scopes end as Dropped. An installation of a platform app gets no scope that its present ones do
   * not include. Where it is given a write_ scope and has the read_ scope alone, it keeps that.
   */
  update(storeId: string, id: string, changes: InstallationChanges): Promise<Installation | 'uninstalled' | null>;
  /**
   * Adds the secret. Older secrets end after the overlap, in seconds. An older secret that ends
   * earlier keeps its end. An overlap of 0 ends the older secrets now. Its console
   * sessions end after the overlap at the latest. Returns null when the store does not have the installation.
   * Returns `uninstalled` and changes nothing when the app was uninstalled.
   */
  rotateClientSecret(
    storeId: string,
    id: string,
    secret: HashedSecret,
    overlapSeconds: number,
  ): Promise<Rotated | 'uninstalled' | null>;
  /**
   * Adds the secret. Older secrets end after the overlap, in seconds. An older secret that ends
   * earlier keeps its end. An overlap of 0 ends the older secrets now. Returns null when the
   * store does not have the installation. Returns `uninstalled` and changes nothing when the app was
   * uninstalled.
   */
  rotateSigningSecret(
    storeId: string,
    id: string,
    secret: SealedSecret,
    overlapSeconds: number,
  ): Promise<Rotated | 'uninstalled' | null>;
  /** Deletes at most `limit` signing secrets that have expired, and returns how many. */
  purgeSigningSecrets(limit: number): Promise<number>;
  /** Returns the sealed signing secrets that are valid now, newest first. */
  signingSecrets(storeId: string, id: string): Promise<readonly string[]>;
  /**
   * Returns what the token route checks of the client on the store of this domain. Returns null
   * when the client does not exist. Returns null when the client belongs to another store. The client of a platform app is
   * its installation on the store, with the secrets of the app. Returns null when the platform app is not installed on the store.
   */
  credentials(clientId: string, domain: string): Promise<ClientCredentials | null>;
  /**
   * Counts what an uninstall would end now, and changes nothing. Counts at most 100,000 of each
   * kind, and is incomplete when there are more. Returns zeros when the app was uninstalled. Returns
   * null when the store does not have the installation.
   */
  previewUninstall(storeId: string, id: string): Promise<UninstallPreview | null>;
}

export interface InstallationRemoval {
  /**
   * Keeps the installation from being uninstalled until the transaction ends, but not other transactions
   * from sharing it. Waits for an uninstall that runs, and returns false after it. Returns false when it was uninstalled, or the
   * store does not have it.
   */
  share(storeId: string, id: string): Promise<boolean>;
  /**
   * Marks the installation as uninstalled. Makes its tokens and console sessions invalid. Removes its subscriptions, and leaves
   * its idempotency records to the purge. Stops its attempts in flight and ends its queued deliveries as Dropped.
   * Leaves ended deliveries as they are. Does nothing and returns that nothing changed when the app
   * was uninstalled before. Changes nothing when the transaction fails. Returns null when the
   * store does not have the installation.
   */
  uninstall(storeId: string, id: string): Promise<{ readonly installation: Installation; readonly changed: boolean } | null>;
}
