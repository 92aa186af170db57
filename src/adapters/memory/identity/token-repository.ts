import { mayCall } from '../../../domain/identity/installation.ts';
import type { Installation } from '../../../domain/identity/installation.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { IdempotencyRepository } from '../../../domain/ports/idempotency-repository.ts';
import type { Authentication, TokenRepository } from '../../../domain/ports/token-repository.ts';
import type { Store } from '../../../domain/identity/store.ts';
import { installationsOf, storesOf, tokensOf } from './identity-tables.ts';
import type { MemoryState } from '../state.ts';

/** Revokes the tokens of the installations that are meant. */
export const revokeTokens = (state: MemoryState, meant: (installation: Installation) => boolean): void => {
  for (const [hash, token] of tokensOf(state)) {
    const installation = installationsOf(state).get(token.installationId);
    if (installation && meant(installation)) tokensOf(state).set(hash, { ...token, expiresAt: -Infinity });
  }
};

type Reason = Extract<Authentication, { ok: false }>['reason'];

const rejection = (store: Store, installation: Installation, expiresAt: number, domain: string, now: number): Reason | null => {
  if (store.domain !== domain) return 'wrong_store';
  if (store.status !== 'Active') return 'store_inactive';
  if (installation.status === 'Uninstalled') return 'uninstalled';
  if (!mayCall(installation.status)) return 'suspended';
  if (expiresAt === -Infinity) return 'revoked';
  return expiresAt <= now ? 'expired' : null;
};

export const tokenRepository = (
  state: MemoryState,
  clock: Clock,
  ttlSeconds: number,
  idempotency: Pick<IdempotencyRepository, 'find'>,
): TokenRepository => ({
  issue: async (installationId, hash) => {
    const installation = installationsOf(state).get(installationId);
    if (!installation || !mayCall(installation.status) || storesOf(state).get(installation.storeId)?.status !== 'Active')
      return null;
    tokensOf(state).set(hash, { installationId, expiresAt: clock.now() + ttlSeconds * 1000 });
    return ttlSeconds;
  },
  authenticate: async (hash, domain, key = null) => {
    const token = tokensOf(state).get(hash);
    const installation = token && installationsOf(state).get(token.installationId);
    const store = installation && storesOf(state).get(installation.storeId);
    if (!store) return { ok: false, reason: 'unknown_token' };
    const reason = rejection(store, installation, token.expiresAt, domain, clock.now());
    if (reason !== null) return { ok: false, reason };
    const found = key === null ? null : await idempotency.find({ installationId: installation.id, key });
    return {
      ok: true,
      caller: { storeId: store.id, installationId: installation.id, scopes: installation.scopes },
      known: found?.record.state === 'finished' ? found : null,
    };
  },
  revokeAll: async (installationId) => {
    revokeTokens(state, ({ id }) => id === installationId);
    return installationsOf(state).has(installationId);
  },
  purge: async (limit) => {
    const ended = [...tokensOf(state)].filter(([, { expiresAt }]) => expiresAt <= clock.now()).slice(0, limit);
    for (const [hash] of ended) tokensOf(state).delete(hash);
    return ended.length;
  },
});
