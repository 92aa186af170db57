import { DEFAULT_TOKEN_SECONDS } from '../../../domain/identity/token.ts';
import type { Database } from '../connection/database.ts';
import type { TransactionSql } from '../connection/sql.ts';
import type { AnnounceStop } from '../work/stop-work.ts';
import { admission } from './admission.ts';
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
import { StoreDirectory } from './store-directory.ts';
import { tokenRepository } from './token-repository.ts';

export interface IdentityOptions {
  readonly idempotencyTtlSeconds: number;
  /** 3600 by default. */
  readonly accessTokenTtlSeconds?: number;
  /**
   * Option of createWorkLeases. Without it a request that stops work waits for the leaseholders, and then
   * cuts them off.
   */
  readonly announceStop?: AnnounceStop;
}

export const identityPorts = (
  database: Database,
  { idempotencyTtlSeconds, accessTokenTtlSeconds = DEFAULT_TOKEN_SECONDS, announceStop }: IdentityOptions,
) => {
  const directory = new StoreDirectory(database.pipeline);
  return {
    admission: admission(database, directory, idempotencyTtlSeconds),
    appConsoleSessions: appConsoleSessions(database, directory),
    consoleSessions: consoleSessions(database),
    developerSessions: developerSessions(database),
    installRequests: installRequests(database),
    installations: installationRepository(database, directory, announceStop),
    operators: operatorRepository(database),
    operatorTokens: operatorTokens(database),
    platformApps: platformAppRepository(database, announceStop),
    sandboxRecords: sandboxRecords(database),
    signInMethods: signInMethods(database),
    tokens: tokenRepository(database, accessTokenTtlSeconds),
  };
};

export const identityWrites = (sql: TransactionSql, { announceStop }: Pick<IdentityOptions, 'announceStop'>) => ({
  installations: installationRemoval(sql, announceStop),
  sandboxRoom: sandboxRoom(sql),
});
