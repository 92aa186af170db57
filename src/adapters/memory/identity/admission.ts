import { mayCall } from '../../../domain/identity/installation.ts';
import type { Installation } from '../../../domain/identity/installation.ts';
import type { Store } from '../../../domain/identity/store.ts';
import type { Admission, Authentication } from '../../../domain/ports/admission.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { IdempotencyRepository } from '../../../domain/ports/idempotency-repository.ts';
import type { MemoryState } from '../state.ts';
import { installationsOf, storesOf, tokensOf } from './identity-tables.ts';

type Reason = Extract<Authentication, { ok: false }>['reason'];

const rejection = (store: Store, installation: Installation, expiresAt: number, domain: string, now: number): Reason | null => {
  if (store.domain !== domain) return 'wrong_store';
  if (store.status !== 'Active') return 'store_inactive';
  if (installation.status === 'Uninstalled') return 'uninstalled';
  if (!mayCall(installation.status)) return 'suspended';
  if (expiresAt === -Infinity) return 'revoked';
  return expiresAt <= now ? 'expired' : null;
};

export const admission = (state: MemoryState, clock: Clock, idempotency: Pick<IdempotencyRepository, 'find'>): Admission => ({
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
});
