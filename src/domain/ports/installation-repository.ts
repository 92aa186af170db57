import type { Installation, InstallationStatus, SettableStatus } from '../identity/installation.ts';
import type { Page, PageOf } from '../page.ts';
import type { Scope } from '../identity/scope.ts';
import type { StoreStatus } from '../identity/store.ts';

/** Hex. */
export interface HashedSecret {
  readonly id: string;
  readonly hash: string;
}

/** As Secrets.seal made it, with the installation's id as context. */
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

/** What the token route judges. */
export interface ClientCredentials {
  readonly installationId: string;
  readonly scopes: readonly Scope[];
  readonly status: InstallationStatus;
  readonly storeStatus: StoreStatus;
  /** Those that live now, by the database's clock. Hex. */
  readonly secretHashes: readonly string[];
}

/** ISO 8601. When the old secrets end at the latest. */
export interface Rotated {
  readonly previousExpiresAt: string;
}

export interface InstallationRepository {
  /** Creates an installed app with its first secrets. Null, and nothing is written, when there is no such store. */
  create(installation: NewInstallation): Promise<Installation | null>;
  /** Null when there is no such installation. */
  get(id: string): Promise<Installation | null>;
  /** A page of the store's installations by creation, then id, the uninstalled included. Null when there is no such store. */
  list(storeId: string, page: Page): Promise<PageOf<Installation> | null>;
  /** Changes what is given and sets updatedAt. Null when there is no such installation. `uninstalled`, and nothing changes, when it is final. Becoming Suspended revokes its tokens for good. Becoming Suspended aborts what is in flight and holds what is queued, as it was. Losing scopes aborts what is in flight and ends as Dropped what is queued of their event types; the rest stays. */
  update(id: string, changes: InstallationChanges): Promise<Installation | 'uninstalled' | null>;
  /** Adds a client secret; the older ones end after the overlap, those that end sooner keep their end. Null when there is no such installation, `uninstalled` when it is final. */
  rotateClientSecret(id: string, secret: HashedSecret, overlapSeconds: number): Promise<Rotated | 'uninstalled' | null>;
  /** Adds a signing secret; the older ones end after the overlap, those that end sooner keep their end. Null when there is no such installation, `uninstalled` when it is final. */
  rotateSigningSecret(id: string, secret: SealedSecret, overlapSeconds: number): Promise<Rotated | 'uninstalled' | null>;
  /** The sealed signing secrets that live now, newest first. */
  signingSecrets(id: string): Promise<readonly string[]>;
  /** Finds by client id on the store of this domain, in one statement. Null when there is none, or it is on another store. */
  credentials(clientId: string, domain: string): Promise<ClientCredentials | null>;
}

/** Bound to a transaction, so that the events of an uninstall commit with it. */
export interface InstallationRemoval {
  /** Makes it Uninstalled, revokes its tokens and removes its subscriptions and idempotency records. Aborts what is in flight and ends what is queued as Dropped: no attempt begins after the commit. Answers it as it is now and whether this call did it. Null when there is no such installation. */
  uninstall(id: string): Promise<{ readonly installation: Installation; readonly changed: boolean } | null>;
}
