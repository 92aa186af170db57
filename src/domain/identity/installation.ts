import type { Scope } from './scope.ts';

export const INSTALLATION_STATUSES = ['Installed', 'Suspended', 'Uninstalled'] as const;
export type InstallationStatus = (typeof INSTALLATION_STATUSES)[number];
/** What a merchant may set; uninstalling is a step of its own. */
export const SETTABLE_STATUSES = ['Installed', 'Suspended'] as const satisfies readonly InstallationStatus[];
export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

/** An app on one store. Times are ISO 8601 in UTC with milliseconds. */
export interface Installation {
  readonly id: string;
  readonly storeId: string;
  readonly name: string;
  readonly clientId: string;
  /** Granted: sorted, without repeats. */
  readonly scopes: readonly Scope[];
  readonly status: InstallationStatus;
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly uninstalledAt: string | null;
}

/** Only an installed app may get a token or call; a suspended one may again once it is installed. */
export const mayCall = (status: InstallationStatus): boolean => status === 'Installed';

/** Installed and Suspended lead to each other and to Uninstalled, which is final. Staying is allowed. */
export const mayBecome = (from: InstallationStatus, to: InstallationStatus): boolean => from === to || from !== 'Uninstalled';

/** Scopes as they are stored: without repeats, sorted. */
export const grantedScopes = (scopes: readonly Scope[]): Scope[] => [...new Set(scopes)].sort();

/** The longest time that an old secret is valid beside its successor (decisions.md, Rotation). SECRET_OVERLAP_SECONDS is the default. */
export const MAX_OVERLAP_SECONDS = 168 * 3600;

/** Whether this is a whole number of seconds from 0, which revokes the old secret now, to 168 h. */
export const isRotationOverlap = (seconds: number): boolean =>
  Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_OVERLAP_SECONDS;
