import { DEFAULT_TOKEN_SECONDS } from '../../../src/domain/identity/token.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { TransactionLocks } from '../locks.ts';
import type { MemoryState } from '../state.ts';
import { appConsoleSessions } from './app-console-sessions.ts';
import { consoleSessions } from './console-sessions.ts';
import { developerSessions } from './developer-sessions.ts';
import { installRequests } from './install-requests.ts';
import { installationRemoval, installationRepository } from './installation-repository.ts';
import { operatorRepository } from './operator-repository.ts';
import { operatorTokens } from './operator-tokens.ts';
import { platformAppRepository } from './platform-app-repository.ts';
import { sandboxRecords } from './sandbox-records.ts';
import { sandboxRoom } from './sandbox-room.ts';
import { signInMethods } from './sign-in-methods.ts';
import { storeRepository } from './store-repository.ts';
import { tokenRepository } from './token-repository.ts';

export interface IdentityOptions {
  readonly clock: Clock;
  /** 3600 by default. */
  readonly accessTokenTtlSeconds?: number;
}

export const identityPorts = (state: MemoryState, { clock, accessTokenTtlSeconds = DEFAULT_TOKEN_SECONDS }: IdentityOptions) => ({
  appConsoleSessions: appConsoleSessions(state, clock),
  consoleSessions: consoleSessions(state, clock),
  developerSessions: developerSessions(state, clock),
  installRequests: installRequests(state, clock),
  installations: installationRepository(state, clock),
  operators: operatorRepository(state, clock),
  operatorTokens: operatorTokens(state, clock),
  platformApps: platformAppRepository(state, clock),
  sandboxRecords: sandboxRecords(state),
  signInMethods: signInMethods(state, clock),
  stores: storeRepository(state, clock),
  tokens: tokenRepository(state, clock, accessTokenTtlSeconds),
});

export const identityWrites = (state: MemoryState, clock: Clock, own: TransactionLocks) => ({
  installations: installationRemoval(state, clock, own),
  sandboxRoom: sandboxRoom(state, own),
});
