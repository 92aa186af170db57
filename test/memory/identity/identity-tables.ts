import type { Installation, InstallationStatus } from '../../../src/domain/identity/installation.ts';
import type { OpenedBy, PlatformApp } from '../../../src/domain/identity/platform-app.ts';
import type { Store } from '../../../src/domain/identity/store.ts';
import { table, type MemoryState } from '../state.ts';

/**
 * `ownerId` is an installation or an app of many stores. `kept` is a client secret's hash or a sealed signing secret.
 * `expiresAt` in milliseconds, Infinity for the newest.
 */
export interface SecretRow {
  readonly ownerId: string;
  readonly kept: string;
  readonly expiresAt: number;
}

/** `expiresAt` in milliseconds, -Infinity once revoked. */
export interface TokenRow {
  readonly installationId: string;
  readonly expiresAt: number;
}

/** Times in milliseconds, -Infinity once revoked. */
export interface AppSessionRow {
  readonly kind: 'Session' | 'Code';
  readonly installationId: string;
  readonly endsAt: number;
  readonly expiresAt: number;
}

/** A session of a platform app's developer. `secretId` is the client secret that it ends with. */
export interface DeveloperSessionRow extends Omit<AppSessionRow, 'installationId'> {
  readonly openedBy: OpenedBy;
  readonly secretId: string;
  /** True when the app was suspended since. */
  readonly isRevoked: boolean;
}

export const storesOf = (state: MemoryState): Map<string, Store> => table<Store>(state, 'stores');
export const installationsOf = (state: MemoryState): Map<string, Installation> => table<Installation>(state, 'installations');
/** The installation, if the store has it. */
export const installationOf = (state: MemoryState, storeId: string, id: string): Installation | undefined => {
  const installation = installationsOf(state).get(id);
  return installation?.storeId === storeId ? installation : undefined;
};
export const platformAppsOf = (state: MemoryState): Map<string, PlatformApp> => table<PlatformApp>(state, 'platform_apps');
/** Suspended also while the app of many stores is, or where there is no such app. */
export const statusIn = (state: MemoryState, { status, platformAppId }: Installation): InstallationStatus =>
  status === 'Installed' && platformAppId !== null && platformAppsOf(state).get(platformAppId)?.status !== 'Active'
    ? 'Suspended'
    : status;
export const tokensOf = (state: MemoryState): Map<string, TokenRow> => table<TokenRow>(state, 'tokens');
export const appSessionsOf = (state: MemoryState): Map<string, AppSessionRow> =>
  table<AppSessionRow>(state, 'app_console_sessions');
export const developerSessionsOf = (state: MemoryState): Map<string, DeveloperSessionRow> =>
  table<DeveloperSessionRow>(state, 'developer_sessions');

export const endAppSessions = (state: MemoryState, meant: (installation: Installation) => boolean, at: number): void => {
  for (const [hash, row] of appSessionsOf(state)) {
    const installation = installationsOf(state).get(row.installationId);
    if (!installation || !meant(installation)) continue;
    appSessionsOf(state).set(hash, { ...row, endsAt: Math.min(row.endsAt, at), expiresAt: Math.min(row.expiresAt, at) });
  }
};

/** The lists' order: by creation, then id. */
export const byCreation = (a: { createdAt: string; id: string }, b: { createdAt: string; id: string }): number =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id) ? -1 : 1;
