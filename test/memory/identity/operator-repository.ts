import { isOwnerOfSomeStores, type Operator } from '../../../src/domain/identity/operator.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { OperatorRepository } from '../../../src/domain/ports/identity/operator-repository.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { pageOf } from '../list-page.ts';
import { table, type MemoryState } from '../state.ts';
import { byCreation } from './identity-tables.ts';
import { sessionRowsOf } from './console-sessions.ts';
import { operatorTokensOf } from './operator-tokens.ts';
import { signInMethodsOf } from './sign-in-methods.ts';

const operatorsOf = (state: MemoryState): Map<string, Operator> => table<Operator>(state, 'operators');

const isTaken = (state: MemoryState, { id, name }: Pick<Operator, 'id' | 'name'>): boolean =>
  [...operatorsOf(state).values()].some((other) => other.name === name && other.id !== id && other.endedAt === null);

export const operatorRepository = (state: MemoryState, clock: Clock): OperatorRepository => ({
  create: async (given) => {
    if (isTaken(state, given)) return 'name_taken';
    const operator: Operator = { ...given, createdAt: isoTime(clock.now()), endedAt: null };
    operatorsOf(state).set(operator.id, operator);
    return operator;
  },
  get: async (id) => operatorsOf(state).get(id) ?? null,
  withEmail: async (email) =>
    [...operatorsOf(state).values()]
      .filter((operator) => operator.email?.toLowerCase() === email.toLowerCase() && operator.endedAt === null)
      .sort(byCreation),
  list: async (page) => pageOf([...operatorsOf(state).values()], page),
  update: async (id, { name, email, role, storeIds }) => {
    const present = operatorsOf(state).get(id);
    if (present?.endedAt !== null) return null;
    const changed: Operator = {
      ...present,
      name: name ?? present.name,
      email: email === undefined ? present.email : email,
      role: role ?? present.role,
      storeIds: storeIds === undefined ? present.storeIds : storeIds,
    };
    if (isOwnerOfSomeStores(changed)) return 'limited_owner';
    if (isTaken(state, changed)) return 'name_taken';
    operatorsOf(state).set(id, changed);
    return changed;
  },
  end: async (id) => {
    const present = operatorsOf(state).get(id);
    if (!present) return null;
    if (present.endedAt !== null) return present;
    const ended = { ...present, endedAt: isoTime(clock.now()) };
    operatorsOf(state).set(id, ended);
    for (const rows of [operatorTokensOf(state), signInMethodsOf(state), sessionRowsOf(state)]) {
      for (const [hash, row] of rows) if (row.operatorId === id) rows.delete(hash);
    }
    return ended;
  },
});
