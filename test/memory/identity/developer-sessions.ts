import { CODE_SECONDS, SESSION_IDLE_SECONDS, SESSION_SECONDS } from '../../../src/domain/identity/console-session.ts';
import type { OpenedBy } from '../../../src/domain/identity/platform-app.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { DeveloperSessions } from '../../../src/domain/ports/identity/developer-sessions.ts';
import { isoTime } from '../../../src/domain/time.ts';
import type { MemoryState } from '../state.ts';
import { developerSessionsOf, platformAppsOf, type DeveloperSessionRow, type SecretRow } from './identity-tables.ts';
import { secretsOf } from './secret-tables.ts';

const isActive = (state: MemoryState, appId: string): boolean => platformAppsOf(state).get(appId)?.status === 'Active';

/** The secret that the row ends with, while both are valid. */
const secretOf = (state: MemoryState, clock: Clock, row: DeveloperSessionRow): SecretRow | null => {
  const secret = secretsOf(state, 'client_secrets').get(row.secretId);
  if (!secret || row.isRevoked || row.expiresAt <= clock.now() || secret.expiresAt <= clock.now()) return null;
  return isActive(state, secret.ownerId) ? secret : null;
};

/** The session of this hash is used. Returns whose it is; null where it has ended. */
export const touchDeveloperSession = (
  state: MemoryState,
  clock: Clock,
  hash: string,
): { readonly appId: string; readonly openedBy: OpenedBy } | null => {
  const row = developerSessionsOf(state).get(hash);
  const secret = row?.kind === 'Session' ? secretOf(state, clock, row) : null;
  if (!row || !secret) return null;
  const expiresAt = Math.min(row.endsAt, clock.now() + SESSION_IDLE_SECONDS * 1_000);
  developerSessionsOf(state).set(hash, { ...row, expiresAt });
  return { appId: secret.ownerId, openedBy: row.openedBy };
};

/** Sessions of the app stay revoked. */
export const revokeDeveloperSessions = (state: MemoryState, appId: string): void => {
  for (const [hash, row] of developerSessionsOf(state)) {
    const isOwn = secretsOf(state, 'client_secrets').get(row.secretId)?.ownerId === appId;
    if (isOwn) developerSessionsOf(state).set(hash, { ...row, isRevoked: true });
  }
};

export const developerSessions = (state: MemoryState, clock: Clock): DeveloperSessions => {
  const rows = developerSessionsOf(state);
  const put = (hash: string, kind: 'Session' | 'Code', openedBy: OpenedBy, secretId: string): void => {
    const now = clock.now();
    const life = { Session: [SESSION_SECONDS, SESSION_IDLE_SECONDS], Code: [CODE_SECONDS, CODE_SECONDS] } as const;
    const [endsAt, expiresAt] = life[kind].map((seconds) => now + seconds * 1_000) as [number, number];
    rows.set(hash, { kind, openedBy, secretId, endsAt, expiresAt, isRevoked: false });
  };
  const secretWhere = (appId: string, isMeant: (row: SecretRow) => boolean): string | undefined =>
    isActive(state, appId)
      ? [...secretsOf(state, 'client_secrets')].find(([, row]) => row.ownerId === appId && isMeant(row))?.[0]
      : undefined;
  return {
    start: async (appId, secretHash, hash) => {
      const secretId = secretWhere(appId, (row) => row.kept === secretHash && row.expiresAt > clock.now());
      if (secretId === undefined) return false;
      put(hash, 'Session', 'Secret', secretId);
      return true;
    },
    createCode: async (appId, hash) => {
      const secretId = secretWhere(appId, (row) => row.expiresAt === Infinity);
      if (secretId === undefined) return null;
      put(hash, 'Code', 'Link', secretId);
      return isoTime(clock.now() + CODE_SECONDS * 1_000);
    },
    lookAtCode: async (code) => {
      const row = rows.get(code);
      return (row?.kind === 'Code' && secretOf(state, clock, row)?.ownerId) || null;
    },
    exchange: async (code, hash) => {
      const row = rows.get(code);
      if (row?.kind !== 'Code' || secretOf(state, clock, row) === null) return false;
      rows.delete(code);
      put(hash, 'Session', 'Link', row.secretId);
      return true;
    },
    use: async (hash) => touchDeveloperSession(state, clock, hash),
    end: async (hash) => {
      rows.delete(hash);
    },
    purge: async (limit) => {
      const expired = [...rows].filter(([, { expiresAt }]) => expiresAt <= clock.now()).slice(0, limit);
      for (const [hash] of expired) rows.delete(hash);
      return expired.length;
    },
  };
};
