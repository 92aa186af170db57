import type { Installation } from '../../identity/installation.ts';
import type { Manifest, PlatformApp, PlatformAppStatus } from '../../identity/platform-app.ts';
import type { Scope } from '../../identity/scope.ts';
import type { Store } from '../../identity/store.ts';
import type { PlacedPage, PlacedPageOf } from '../../page.ts';
import type { BoundedCount } from '../../webhooks/backlog.ts';
import type { SubscriptionKey } from '../../webhooks/subscription.ts';
import type { HashedSecret, Rotated, SealedSecret } from './installation-repository.ts';

export interface NewPlatformApp extends Manifest {
  readonly id: string;
  readonly name: string;
  readonly clientId: string;
  readonly eventUrl: string | null;
  readonly clientSecret: HashedSecret;
  /** Sealed with the app's id as context. */
  readonly signingSecret: SealedSecret;
}

export interface PlatformAppChanges {
  readonly name?: string | undefined;
  readonly redirectUrls?: readonly string[] | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly optionalScopes?: readonly Scope[] | undefined;
  /** Null removes it. */
  readonly eventUrl?: string | null | undefined;
  readonly status?: PlatformAppStatus | undefined;
}

/** Proof of a developer to be the app. */
export interface PlatformAppSecrets {
  readonly app: PlatformApp;
  /** Hashes of the client secrets that are valid now by the database's clock, in hex. */
  readonly secretHashes: readonly string[];
}

/** An installation with what happened to it lately. */
export interface WatchedInstallation extends Pick<
  Installation,
  'id' | 'storeId' | 'scopes' | 'status' | 'createdAt' | 'uninstalledAt'
> {
  /** Current state. Null once the app is uninstalled: its developer learns nothing more of the store. */
  readonly store: Pick<Store, 'domain' | 'name' | 'status' | 'sandboxAppId'> | null;
  /** By their state now. Failing: the last attempt failed. Waiting: no attempt yet. */
  readonly deliveries: {
    readonly delivered: number;
    readonly failing: number;
    readonly waiting: number;
    /** True with fewer than MAX_WATCHED, so that all are counted. */
    readonly isComplete: boolean;
  };
  readonly refusals: BoundedCount;
}

/** The most deliveries and the most refusals of an installation that a list of them looks at. */
export const MAX_WATCHED = 1_000;

export interface WatchFilter {
  /** A text in the name or the domain of the store, in any case, beyond ASCII too. */
  readonly q?: string | undefined;
  /** Start of the count, in milliseconds since the epoch. */
  readonly since: number;
}

export interface PlatformAppRepository {
  /** Creates an active app with its first secrets. */
  create(app: NewPlatformApp): Promise<PlatformApp>;
  /**
   * Returns the app. Shows until when an older client secret and an older signing secret are valid,
   * and null where only the newest is. Returns null when the app does not exist.
   */
  get(id: string): Promise<PlatformApp | null>;
  /** Returns the app of this client id. Returns null when no app has it. */
  byClientId(clientId: string): Promise<PlatformApp | null>;
  /**
   * Returns the app of this client id, with the hashes of its client secrets that are valid. Returns null when no app has it.
   */
  secrets(clientId: string): Promise<PlatformAppSecrets | null>;
  /** Returns a page of all apps by creation, then id. Begins behind the place, if one is given. */
  list(page: PlacedPage): Promise<PlacedPageOf<PlatformApp>>;
  /**
   * Changes the given fields and sets updatedAt. A scope that is required is not optional as well. A new name is also that of its installations. A
   * suspended app may not call on any store, and what is queued for it is held. Tokens and console
   * sessions from before a suspension stay revoked when the app is active again. A new event address is that of all stores, and
   * of what waits for it. Without an address, what waits is dropped. Of two changes at the same time, each store has the
   * address of the later one. Returns null when the app does not exist.
   */
  update(id: string, changes: PlatformAppChanges): Promise<PlatformApp | null>;
  /**
   * Adds the secret, for all installations. Older secrets end after the overlap, in seconds. An older
   * secret that ends earlier keeps its end. An overlap of 0 ends the older secrets now. The console
   * sessions of its installations end after the overlap at the latest. Returns null when the app does not exist.
   */
  rotateClientSecret(id: string, secret: HashedSecret, overlapSeconds: number): Promise<Rotated | null>;
  /**
   * Adds the secret, for all installations. Older secrets end after the overlap, in seconds. An older
   * secret that ends earlier keeps its end. An overlap of 0 ends the older secrets now. Returns null when the app does not exist.
   */
  rotateSigningSecret(id: string, secret: SealedSecret, overlapSeconds: number): Promise<Rotated | null>;
  /** Deletes at most `limit` signing secrets that have expired, and returns how many. */
  purgeSigningSecrets(limit: number): Promise<number>;
  /**
   * Returns a page of the app's installations on all stores by creation, then id, also those that
   * were uninstalled. Begins behind the place, if one is given. Returns null when the app does not exist.
   */
  installations(id: string, page: PlacedPage): Promise<PlacedPageOf<Installation> | null>;
  /**
   * Returns a page of the app's installations on all stores by creation, then id, also those that were
   * uninstalled. Leaves out stores that are being erased. Returns only installations that match the filter. Neither shows the store of
   * one that was uninstalled, nor finds it by that. Begins behind the place, if one is given.
   * Counts the newest 1,000 deliveries since the time by their state. Counts the newest 1,000 refusals since the time, with those that the log leaves out. A
   * count is complete when there were fewer.
   */
  watch(id: string, page: PlacedPage, filter: WatchFilter): Promise<PlacedPageOf<WatchedInstallation>>;
  /** Returns the subscriptions that are the app's event address on its stores, and that are deactivated. */
  deactivatedAddresses(id: string): Promise<readonly SubscriptionKey[]>;
  /** Returns the installation on the store. Returns null when the app is not installed there. */
  onStore(id: string, storeId: string): Promise<Installation | null>;
  /**
   * Returns at most `limit` installations that have a scope which the app does not ask for. Leaves out
   * those that were uninstalled. An app that asks for a write_ scope asks for its read_ scope.
   */
  beyondManifest(id: string, limit: number): Promise<readonly Installation[]>;
}
