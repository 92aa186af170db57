import { CODE_SECONDS, SESSION_IDLE_SECONDS, SESSION_SECONDS } from '../../../src/domain/identity/console-session.ts';
import { mayCall, type Installation } from '../../../src/domain/identity/installation.ts';
import type { AppConsoleSessions } from '../../../src/domain/ports/identity/app-console-sessions.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import { isoTime } from '../../../src/domain/time.ts';
import type { MemoryState } from '../state.ts';
import { appSessionsOf, type AppSessionRow, installationOf, installationsOf, statusIn, storesOf } from './identity-tables.ts';

export const appConsoleSessions = (state: MemoryState, clock: Clock): AppConsoleSessions => {
  const domainOf = (installation: Installation | undefined): string | null => {
    const store = installation && storesOf(state).get(installation.storeId);
    return store?.status === 'Active' && installation && mayCall(statusIn(state, installation)) ? store.domain : null;
  };
  const ofRow = ({ installationId }: AppSessionRow): string | null => domainOf(installationsOf(state).get(installationId));
  const start = (hash: string, installationId: string): true => {
    const now = clock.now();
    const [endsAt, expiresAt] = [now + SESSION_SECONDS * 1_000, now + SESSION_IDLE_SECONDS * 1_000];
    appSessionsOf(state).set(hash, { kind: 'Session', installationId, endsAt, expiresAt });
    return true;
  };
  const codeOf = (code: string, domain: string): AppSessionRow | null => {
    const row = appSessionsOf(state).get(code);
    return row?.kind === 'Code' && row.expiresAt > clock.now() && ofRow(row) === domain ? row : null;
  };
  return {
    start: async (storeId, installationId, hash) =>
      domainOf(installationOf(state, storeId, installationId)) !== null && start(hash, installationId),
    createCode: async (storeId, installationId, hash) => {
      if (domainOf(installationOf(state, storeId, installationId)) === null) return null;
      const endsAt = clock.now() + CODE_SECONDS * 1_000;
      appSessionsOf(state).set(hash, { kind: 'Code', installationId, endsAt, expiresAt: endsAt });
      return isoTime(endsAt);
    },
    lookAtCode: async (code, domain) => {
      const row = codeOf(code, domain);
      return (row && installationsOf(state).get(row.installationId)?.name) ?? null;
    },
    exchange: async (code, hash, domain) => {
      const row = codeOf(code, domain);
      if (row === null) return false;
      appSessionsOf(state).delete(code);
      return start(hash, row.installationId);
    },
    end: async (hash, domain) => {
      const row = appSessionsOf(state).get(hash);
      const installation = row && installationsOf(state).get(row.installationId);
      if (installation && storesOf(state).get(installation.storeId)?.domain === domain) appSessionsOf(state).delete(hash);
    },
    purge: async (limit) => {
      const expired = [...appSessionsOf(state)].filter(([, { expiresAt }]) => expiresAt <= clock.now()).slice(0, limit);
      for (const [hash] of expired) appSessionsOf(state).delete(hash);
      return expired.length;
    },
  };
};
