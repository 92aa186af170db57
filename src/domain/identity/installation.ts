import { refuse, type Refusal } from '../result.ts';
import type { Scope } from './scope.ts';

export const INSTALLATION_STATUSES = ['Installed', 'Suspended', 'Uninstalled'] as const;
export type InstallationStatus = (typeof INSTALLATION_STATUSES)[number];
export const SETTABLE_STATUSES = ['Installed', 'Suspended'] as const satisfies readonly InstallationStatus[];
export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

/** Refuses a caller whose app was uninstalled since its token was judged. */
export const INSTALLATION_GONE = refuse('unauthenticated', 'The installation is gone.');

/** An app on one store. Times are ISO 8601 in UTC with milliseconds. */
export interface Installation {
  readonly id: string;
  readonly storeId: string;
  readonly name: string;
  /** Installations of a platform app share its client id. */
  readonly clientId: string;
  /** The app of many stores that is installed; null for an app of this store alone. */
  readonly platformAppId: string | null;
  /** Granted scopes, sorted, each once. */
  readonly scopes: readonly Scope[];
  /** Suspended also while the app of many stores is. */
  readonly status: InstallationStatus;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly uninstalledAt: string | null;
  /** When the last of the older client secrets ends. Null when only the newest is valid. */
  readonly previousClientSecretExpiresAt: string | null;
  /** When the last of the older signing secrets ends. Null when only the newest is valid. */
  readonly previousSigningSecretExpiresAt: string | null;
}

/**
 * Only an installed app gets tokens and may call. A suspended one may again when it is set to
 * Installed.
 */
export const mayCall = (status: InstallationStatus): boolean => status === 'Installed';

/** Uninstalled is final. Every other change is allowed, also to the same status. */
export const mayBecome = (from: InstallationStatus, to: InstallationStatus): boolean => from === to || from !== 'Uninstalled';

/** Scopes as they are stored: sorted, each once. */
export const grantedScopes = (scopes: readonly Scope[]): Scope[] => [...new Set(scopes)].sort();

/**
 * The longest overlap of an old secret with its successor (docs/specification/credentials.md,
 * "Rotation"). SECRET_OVERLAP_SECONDS sets the default.
 */
export const MAX_OVERLAP_SECONDS = 168 * 3600;

/** Refuses all but whole seconds from 0, which ends the old secret now, to 168 h. */
export const checkOverlap = (seconds: number): Refusal<'invalid'> | null =>
  Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_OVERLAP_SECONDS
    ? null
    : refuse('invalid', `overlapSeconds must be an integer from 0 to ${MAX_OVERLAP_SECONDS}.`);
