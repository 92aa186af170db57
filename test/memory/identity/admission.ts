import { SESSION_IDLE_SECONDS, SESSION_TOUCH_SECONDS } from '../../../src/domain/identity/console-session.ts';
import { mayCall, type InstallationStatus } from '../../../src/domain/identity/installation.ts';
import type { Store } from '../../../src/domain/identity/store.ts';
import type { Admission, Authentication, LookAhead } from '../../../src/domain/ports/identity/admission.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { IdempotencyRepository } from '../../../src/domain/ports/idempotency/idempotency-repository.ts';
import type { MemoryState } from '../state.ts';
import { versionIn } from '../catalogue/version-in.ts';
import { touchDeveloperSession } from './developer-sessions.ts';
import { appSessionsOf, installationsOf, statusIn, storesOf, tokensOf } from './identity-tables.ts';

type Reason = Extract<Authentication, { ok: false }>['reason'];

const rejection = (store: Store, status: InstallationStatus, expiresAt: number, domain: string, now: number): Reason | null => {
  if (store.domain !== domain) return 'wrong_store';
  if (store.status !== 'Active') return 'store_inactive';
  if (status === 'Uninstalled') return 'uninstalled';
  if (!mayCall(status)) return 'suspended';
  if (expiresAt === -Infinity) return 'revoked';
  return expiresAt <= now ? 'expired' : null;
};

interface Credential {
  readonly installationId: string;
  readonly expiresAt: number;
}

export const admission = (state: MemoryState, clock: Clock, idempotency: Pick<IdempotencyRepository, 'find'>): Admission => {
  const authenticate = async (
    found: Credential | undefined,
    domain: string,
    lookAhead: LookAhead | null,
  ): Promise<Authentication> => {
    const installation = found && installationsOf(state).get(found.installationId);
    const store = installation && storesOf(state).get(installation.storeId);
    if (!store) return { ok: false, reason: 'unknown_token' };
    const reason = rejection(store, statusIn(state, installation), found.expiresAt, domain, clock.now());
    if (reason !== null) return { ok: false, reason };
    const key = lookAhead?.kind === 'key' ? lookAhead.key : null;
    const known = key === null ? null : await idempotency.find({ storeId: store.id, installationId: installation.id, key });
    return {
      ok: true,
      ...(lookAhead && lookAhead.kind !== 'key' && { version: versionIn(state, store.id, lookAhead) }),
      caller: {
        storeId: store.id,
        installationId: installation.id,
        scopes: installation.scopes,
        sandboxAppId: store.sandboxAppId,
      },
      known: known?.record.state === 'finished' ? known : null,
    };
  };
  /** The installation of the developer's app on the store of this domain. */
  const ofDeveloper = (hash: string, domain: string): Credential | undefined => {
    const session = touchDeveloperSession(state, clock, hash);
    const own = [...installationsOf(state).values()].find(
      ({ platformAppId, storeId, status }) =>
        session?.appId === platformAppId && status !== 'Uninstalled' && storesOf(state).get(storeId)?.domain === domain,
    );
    return session && own ? { installationId: own.id, expiresAt: Infinity } : undefined;
  };
  return {
    authenticate: (hash, domain, lookAhead = null) => authenticate(tokensOf(state).get(hash), domain, lookAhead),
    authenticateSession: (hash, domain, key = null) => {
      const row = appSessionsOf(state).get(hash);
      const session = row?.kind === 'Session' ? row : undefined;
      if (session && session.expiresAt > clock.now()) {
        const renewed = Math.min(session.endsAt, clock.now() + SESSION_IDLE_SECONDS * 1_000);
        if (renewed > session.expiresAt + SESSION_TOUCH_SECONDS * 1_000)
          appSessionsOf(state).set(hash, { ...session, expiresAt: renewed });
      }
      return authenticate(session ?? ofDeveloper(hash, domain), domain, key === null ? null : { kind: 'key', key });
    },
  };
};
