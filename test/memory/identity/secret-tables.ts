import type { Installation } from '../../../src/domain/identity/installation.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { table, type MemoryState } from '../state.ts';
import type { SecretRow } from './identity-tables.ts';

export type SecretTable = 'client_secrets' | 'signing_secrets';

export const secretsOf = (state: MemoryState, name: SecretTable): Map<string, SecretRow> => table<SecretRow>(state, name);

export const liveSecrets = (state: MemoryState, name: SecretTable, installationId: string, now: number): string[] =>
  [...secretsOf(state, name).values()]
    .filter((row) => row.installationId === installationId && row.expiresAt > now)
    .map((row) => row.kept)
    .reverse();

const previousEnd = (state: MemoryState, name: SecretTable, id: string, now: number): string | null => {
  const rows = [...secretsOf(state, name).values()].filter((row) => row.installationId === id);
  const ends = rows.map(({ expiresAt }) => expiresAt).filter((end) => end > now && end !== Infinity);
  return ends.length === 0 ? null : isoTime(Math.max(...ends));
};

export const shown = (state: MemoryState, clock: Clock, installation: Installation): Installation => {
  if (installation.status === 'Uninstalled') return installation;
  const end = (name: SecretTable) => previousEnd(state, name, installation.id, clock.now());
  return {
    ...installation,
    previousClientSecretExpiresAt: end('client_secrets'),
    previousSigningSecretExpiresAt: end('signing_secrets'),
  };
};
