import type { Installation } from '../../identity/installation.ts';
import type { Manifest, PlatformApp, PlatformAppStatus } from '../../identity/platform-app.ts';
import type { Scope } from '../../identity/scope.ts';
import type { PlacedPage, PlacedPageOf } from '../../page.ts';
import type { HashedSecret, Rotated, SealedSecret } from './installation-repository.ts';

export interface NewPlatformApp extends Manifest {
  readonly id: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: HashedSecret;
  /** Sealed with the app's id as context. */
  readonly signingSecret: SealedSecret;
}

export interface PlatformAppChanges {
  readonly name?: string | undefined;
  readonly redirectUrls?: readonly string[] | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly optionalScopes?: readonly Scope[] | undefined;
  readonly status?: PlatformAppStatus | undefined;
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
  /** Returns a page of all apps by creation, then id. Begins behind the place, if one is given. */
  list(page: PlacedPage): Promise<PlacedPageOf<PlatformApp>>;
  /**
   * Changes the given fields and sets updatedAt. A scope that is required is not optional as well. A new name is also that of its installations. A
   * suspended app may not call on any store, and what is queued for it is held. Tokens and console
   * sessions from before a suspension stay revoked when the app is active again. Returns null when the app does not
   * exist.
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
  /**
   * Returns a page of the app's installations on all stores by creation, then id, also those that
   * were uninstalled. Begins behind the place, if one is given. Returns null when the app does not exist.
   */
  installations(id: string, page: PlacedPage): Promise<PlacedPageOf<Installation> | null>;
  /** Returns the installation on the store. Returns null when the app is not installed there. */
  onStore(id: string, storeId: string): Promise<Installation | null>;
  /**
   * Returns at most `limit` installations that have a scope which the app does not ask for. Leaves out
   * those that were uninstalled. An app that asks for a write_ scope asks for its read_ scope.
   */
  beyondManifest(id: string, limit: number): Promise<readonly Installation[]>;
}
