import { refuse, type Refusal } from '../result.ts';
import { id, list, text, time } from '../fields/kinds.ts';
import { resource, type Resource } from '../fields/record.ts';
import { EXAMPLE_TIME } from '../fields/standard-fields.ts';
import { ALL_SCOPES, type Scope } from './scope.ts';
import { clientIdField } from './token.ts';

export const INSTALLATION_STATUSES = ['Installed', 'Suspended', 'Uninstalled'] as const;
export type InstallationStatus = (typeof INSTALLATION_STATUSES)[number];
export const SETTABLE_STATUSES = ['Installed', 'Suspended'] as const satisfies readonly InstallationStatus[];
export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

/** Refuses a caller whose app was uninstalled since its token was judged. */
export const INSTALLATION_GONE = refuse('unauthenticated', 'The installation is gone.');

/** When the last of the older secrets of a kind ends. */
export const previousEnd = (kind: 'client' | 'signing', example: { readonly example?: string } = {}) =>
  time({ orNull: true, ...example, about: `When the last old ${kind} secret expires. Null if only the newest is valid.` });

/** An app on one store. Its scopes are those that were granted, sorted, each once. */
export const INSTALLATION = resource(
  'Installation',
  {
    id: id({ example: 30 }),
    storeId: id({ example: 99 }),
    name: text({ example: 'Stock sync' }),
    clientId: clientIdField,
    platformAppId: id({ orNull: true, about: 'The platform app that is installed. Null for an app of this store alone.' }),
    scopes: list(text({ values: ALL_SCOPES }), { example: ['read_collections', 'write_products'] }),
    status: text({
      values: INSTALLATION_STATUSES,
      example: 'Installed',
      about: 'Also Suspended while the platform app is suspended.',
    }),
    createdAt: time({ example: EXAMPLE_TIME }),
    updatedAt: time({ orNull: true }),
    uninstalledAt: time({ orNull: true }),
    previousClientSecretExpiresAt: previousEnd('client', { example: EXAMPLE_TIME }),
    previousSigningSecretExpiresAt: previousEnd('signing'),
  },
  'An app installed on a store. Its secrets are never shown again.',
);
export type Installation = Resource<typeof INSTALLATION>;

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
