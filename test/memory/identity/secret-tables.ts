import type { Installation } from '../../../src/domain/identity/installation.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { table, type MemoryState } from '../state.ts';
import { statusIn, type SecretRow } from './identity-tables.ts';

export type SecretTable = 'client_secrets' | 'signing_secrets';

export const secretsOf = (state: MemoryState, name: SecretTable): Map<string, SecretRow> => table<SecretRow>(state, name);

export const liveSecrets = (state: MemoryState, name: SecretTable, ownerId: string, now: number): string[] =>
  [...secretsOf(state, name).values()]
    .filter((row) => row.ownerId === ownerId && row.expiresAt > now)
    .map((row) => row.kept)
    .reverse();

/** Adds the secret. Older secrets end at the time, unless they end earlier. */
export const replaceSecret = (
  state: MemoryState,
  name: SecretTable,
  ownerId: string,
  secret: { readonly id: string; readonly kept: string },
  end: number,
): void => {
  const rows = secretsOf(state, name);
  for (const [key, row] of rows) {
    if (row.ownerId === ownerId) rows.set(key, { ...row, expiresAt: Math.min(row.expiresAt, end) });
  }
  rows.set(secret.id, { ownerId, kept: secret.kept, expiresAt: Infinity });
};

/** Removes expired secrets of these owners. Returns how many. */
export const purgeSecrets = (
  state: MemoryState,
  name: SecretTable,
  isOwner: (ownerId: string) => boolean,
  { now, limit }: { readonly now: number; readonly limit: number },
): number => {
  const rows = secretsOf(state, name);
  const expired = [...rows].filter(([, row]) => row.expiresAt <= now && isOwner(row.ownerId)).slice(0, limit);
  for (const [id] of expired) rows.delete(id);
  return expired.length;
};

const previousEnd = (state: MemoryState, name: SecretTable, id: string, now: number): string | null => {
  const rows = [...secretsOf(state, name).values()].filter((row) => row.ownerId === id);
  const ends = rows.map(({ expiresAt }) => expiresAt).filter((end) => end > now && end !== Infinity);
  return ends.length === 0 ? null : isoTime(Math.max(...ends));
};

/** When the older secrets of the owner end. */
export const previousEnds = (state: MemoryState, clock: Clock, ownerId: string) => ({
  previousClientSecretExpiresAt: previousEnd(state, 'client_secrets', ownerId, clock.now()),
  previousSigningSecretExpiresAt: previousEnd(state, 'signing_secrets', ownerId, clock.now()),
});

export const shown = (state: MemoryState, clock: Clock, installation: Installation): Installation =>
  installation.status === 'Uninstalled'
    ? installation
    : { ...installation, status: statusIn(state, installation), ...previousEnds(state, clock, installation.id) };
