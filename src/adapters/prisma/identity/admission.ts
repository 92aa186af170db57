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
  { reason, storeId, installationId, scopes }: CallerRow,
  found: Pick<Extract<Authentication, { ok: true }>, 'known' | 'version'>,
): Authentication =>
  reason === null ? { ok: true, caller: { storeId, installationId, scopes }, ...found } : { ok: false, reason };

const plain = (caller: CallerRow): Authentication => authenticationOf(caller, { known: null });

const keyed = (caller: CallerRow & OuterKeyRow): Authentication =>
  authenticationOf(caller, { known: isRecord(caller) ? knownKey(caller) : null });

const versioned = (caller: CallerRow & { version: string | null }): Authentication =>
  authenticationOf(caller, { known: null, version: caller.version || null });

const first = <Row>(make: (row: Row) => Authentication, [row]: Row[]): Authentication | null => (row ? make(row) : null);

export const admission = (database: Database, directory: StoreDirectory, idempotencyTtlSeconds: number): Admission => {
  const isElsewhere = lookElsewhere(database);
  const found = async (
    domain: string,
    look: (storeId: string) => Promise<Authentication | null>,
    elsewhere: () => Promise<boolean>,
  ): Promise<Authentication> =>
    (await directory.find(domain, look)) ?? { ok: false, reason: (await elsewhere()) ? 'wrong_store' : 'unknown_token' };

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
    authenticate: (text, domain, lookAhead = null) => {
      const hash = bytesOfHex(text);
      return found(
        domain,
        (storeId) => ofToken({ storeId, domain, hash }, lookAhead),
        () => isElsewhere(TOKEN_ELSEWHERE, hash),
      );
    },
    authenticateSession: (text, domain, key = null) => {
      const hash = bytesOfHex(text);
      return found(
        domain,
        (storeId) => ofSession({ storeId, domain, hash }, key),
        () => isElsewhere(SESSION_ELSEWHERE, hash),
      );
    },
  };
};
