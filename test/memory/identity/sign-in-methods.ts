import type { Operator } from '../../../src/domain/identity/operator.ts';
import { countsUp, MAX_PASSKEYS, type SignInMethod } from '../../../src/domain/identity/sign-in-method.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { NewSignInMethod, SignInMethods } from '../../../src/domain/ports/identity/sign-in-methods.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { table, type MemoryState } from '../state.ts';
import { byCreation } from './identity-tables.ts';

interface Row {
  readonly operatorId: string;
  readonly given: NewSignInMethod;
  readonly counter: number;
  readonly method: SignInMethod;
}

/** By the id. */
export const signInMethodsOf = (state: MemoryState): Map<string, Row> => table<Row>(state, 'sign_in_methods');

export const signInMethods = (state: MemoryState, clock: Clock): SignInMethods => {
  const isPresent = (id: string): boolean => table<Operator>(state, 'operators').get(id)?.endedAt === null;
  const rowsOf = (operatorId: string): Row[] =>
    [...signInMethodsOf(state).values()]
      .filter((row) => row.operatorId === operatorId)
      .sort((a, b) => byCreation(a.method, b.method));
  const isTaken = (given: NewSignInMethod): boolean =>
    [...signInMethodsOf(state).values()].some(
      ({ given: other }) =>
        (other.kind === given.kind && other.key === given.key) ||
        (other.kind === 'provider' &&
          given.kind === 'provider' &&
          other.operatorId === given.operatorId &&
          other.issuer === given.issuer),
    );
  return {
    add: async (given) => {
      const { id, operatorId, kind, name } = given;
      if (!isPresent(operatorId)) return null;
      const passkeys = rowsOf(operatorId).filter((row) => row.method.kind === 'passkey');
      if (kind === 'passkey' && passkeys.length >= MAX_PASSKEYS) return 'too_many';
      if (isTaken(given)) return 'taken';
      const method: SignInMethod = { id, kind, name, createdAt: isoTime(clock.now()), lastUsedAt: null };
      signInMethodsOf(state).set(id, { operatorId, given, method, counter: given.kind === 'passkey' ? given.counter : 0 });
      return method;
    },
    list: async (operatorId) => rowsOf(operatorId).map(({ method }) => method),
    passkeys: async (operatorId) =>
      rowsOf(operatorId).flatMap(({ given }) =>
        given.kind === 'passkey' ? [{ key: given.key, transports: given.transports }] : [],
      ),
    find: async (kind, key) => {
      const row = [...signInMethodsOf(state).values()].find(({ given }) => given.kind === kind && given.key === key);
      if (!row || !isPresent(row.operatorId)) return null;
      const { given, operatorId, counter, method } = row;
      const { id, name, lastUsedAt } = method;
      return { id, name, lastUsedAt, operatorId, publicKey: given.kind === 'passkey' ? given.publicKey : null, counter };
    },
    use: async (id, counter) => {
      const row = signInMethodsOf(state).get(id);
      if (!row || !countsUp(counter, row.counter)) return false;
      signInMethodsOf(state).set(id, { ...row, counter, method: { ...row.method, lastUsedAt: isoTime(clock.now()) } });
      return true;
    },
    remove: async (operatorId, id) =>
      signInMethodsOf(state).get(id)?.operatorId === operatorId && signInMethodsOf(state).delete(id),
  };
};
