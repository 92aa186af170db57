import { SESSION_IDLE_SECONDS, SESSION_TOUCH_SECONDS } from '../../../domain/identity/console-session.ts';
import type { Admission, Authentication, LookAhead } from '../../../domain/ports/identity/admission.ts';
import type { Database } from '../connection/database.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { knownKey, type KeyRow, type OuterKeyRow } from '../idempotency/key-record.ts';
import { lookElsewhere, SESSION_ELSEWHERE, TOKEN_ELSEWHERE } from './admission-elsewhere.ts';
import {
  AUTHENTICATE,
  AUTHENTICATE_SESSION,
  AUTHENTICATE_SESSION_WITH_KEY,
  AUTHENTICATE_WITH_COLLECTION,
  AUTHENTICATE_WITH_KEY,
  AUTHENTICATE_WITH_PRODUCT,
  type CallerRow,
  type Credential,
} from './admission-statements.ts';
import type { StoreDirectory } from './store-directory.ts';

const LIFE = { idleSeconds: SESSION_IDLE_SECONDS, touchSeconds: SESSION_TOUCH_SECONDS };

const isRecord = (row: OuterKeyRow): row is KeyRow => row.fingerprint !== null && row.expired === false;

const authenticationOf = (
  { reason, storeId, installationId, scopes, sandboxAppId }: CallerRow,
  found: Pick<Extract<Authentication, { ok: true }>, 'known' | 'version'>,
): Authentication =>
  reason === null ? { ok: true, caller: { storeId, installationId, scopes, sandboxAppId }, ...found } : { ok: false, reason };

const plain = (caller: CallerRow): Authentication => authenticationOf(caller, { known: null });

const keyed = (caller: CallerRow & OuterKeyRow): Authentication =>
  authenticationOf(caller, { known: isRecord(caller) ? knownKey(caller) : null });

const versioned = (caller: CallerRow & { version: string | null }): Authentication =>
  authenticationOf(caller, { known: null, version: caller.version || null });

/** Refuses a credential that the store of the domain does not have. */
const refusal = (isElsewhere: boolean): Authentication => ({ ok: false, reason: isElsewhere ? 'wrong_store' : 'unknown_token' });

const first = <Row>(make: (row: Row) => Authentication, [row]: Row[]): Authentication | null => (row ? make(row) : null);

export const admission = (database: Database, directory: StoreDirectory, idempotencyTtlSeconds: number): Admission => {
  const isElsewhere = lookElsewhere(database);
  const ofToken = async (given: Credential, lookAhead: LookAhead | null): Promise<Authentication | null> => {
    const { pipeline } = database;
    switch (lookAhead?.kind) {
      case 'key': {
        const withKey = { ...given, key: lookAhead.key, ttlSeconds: idempotencyTtlSeconds };
        return first(keyed, await pipeline.rows(AUTHENTICATE_WITH_KEY, withKey));
      }
      case 'product':
        return first(versioned, await pipeline.rows(AUTHENTICATE_WITH_PRODUCT, { ...given, id: lookAhead.id }));
      case 'collection':
        return first(versioned, await pipeline.rows(AUTHENTICATE_WITH_COLLECTION, { ...given, id: lookAhead.id }));
      case undefined:
        return first(plain, await pipeline.rows(AUTHENTICATE, given));
    }
  };
  // Not on the pipeline: where a revocation has locked the session, others would wait as well.
  const ofSession = async (given: Credential, key: string | null): Promise<Authentication | null> => {
    const session = { ...given, ...LIFE };
    if (key === null) return first(plain, await database.rows(AUTHENTICATE_SESSION, session));
    const withKey = { ...session, key, ttlSeconds: idempotencyTtlSeconds };
    return first(keyed, await database.rows(AUTHENTICATE_SESSION_WITH_KEY, withKey));
  };
  return {
    authenticate: async (text, domain, lookAhead = null) => {
      const hash = bytesOfHex(text);
      return (
        (await directory.find(domain, (storeId) => ofToken({ storeId, domain, hash }, lookAhead))) ??
        refusal(await isElsewhere(TOKEN_ELSEWHERE, hash))
      );
    },
    authenticateSession: async (text, domain, key = null) => {
      const hash = bytesOfHex(text);
      return (
        (await directory.find(domain, (storeId) => ofSession({ storeId, domain, hash }, key))) ??
        refusal(await isElsewhere(SESSION_ELSEWHERE, hash))
      );
    },
  };
};
