import { mayCall, type Installation } from '../../../src/domain/identity/installation.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { TokenRepository } from '../../../src/domain/ports/identity/token-repository.ts';
import { endAppSessions, installationOf, installationsOf, statusIn, storesOf, tokensOf } from './identity-tables.ts';
import type { MemoryState } from '../state.ts';
import { wakeFeed } from '../webhooks/feed-signal.ts';

export const revokeTokens = (state: MemoryState, meant: (installation: Installation) => boolean): void => {
  for (const [hash, token] of tokensOf(state)) {
    const installation = installationsOf(state).get(token.installationId);
    if (installation && meant(installation)) tokensOf(state).set(hash, { ...token, expiresAt: -Infinity });
  }
  endAppSessions(state, meant, -Infinity);
  for (const installation of installationsOf(state).values()) {
    if (meant(installation)) wakeFeed(state, 'installation', installation.id);
  }
};

export const tokenRepository = (state: MemoryState, clock: Clock, ttlSeconds: number): TokenRepository => ({
  issue: async (storeId, installationId, hash, seconds = ttlSeconds) => {
    const installation = installationOf(state, storeId, installationId);
    if (!installation || !mayCall(statusIn(state, installation)) || storesOf(state).get(storeId)?.status !== 'Active')
      return null;
    tokensOf(state).set(hash, { installationId, expiresAt: clock.now() + seconds * 1000 });
    return seconds;
  },
  revokeAll: async (storeId, installationId) => {
    const installation = installationOf(state, storeId, installationId);
    if (installation) revokeTokens(state, ({ id }) => id === installationId);
    return installation !== undefined;
  },
  purge: async (limit) => {
    const ended = [...tokensOf(state)].filter(([, { expiresAt }]) => expiresAt <= clock.now()).slice(0, limit);
    for (const [hash] of ended) tokensOf(state).delete(hash);
    return ended.length;
  },
});
