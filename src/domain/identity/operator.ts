import { refuse, type Refusal } from '../result.ts';
import { EXAMPLE_TIME } from '../fields/standard-fields.ts';
import { id, list, text, time } from '../fields/kinds.ts';
import { resource, type Resource } from '../fields/record.ts';

/** From the one who may do the least. Each may do what those before it may. */
export const ROLES = ['viewer', 'operator', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** A person or a machine that the owner has named. It reaches these stores alone; null for all. */
export const OPERATOR = resource('Operator', {
  id: id({ example: 2 }),
  name: text({ example: 'Ada Lovelace' }),
  email: text({ orNull: true, example: 'ada@example.com' }),
  role: text({ values: ROLES, example: 'operator' }),
  storeIds: list(id({}), { orNull: true, example: ['019a0000-0000-7000-8000-000000000001'] }),
  createdAt: time({ example: EXAMPLE_TIME }),
  endedAt: time({ orNull: true, about: 'The operator has had no access since then.' }),
});
export type Operator = Resource<typeof OPERATOR>;

export const OPERATOR_TOKEN = resource('OperatorToken', {
  id: id({ example: 3 }),
  name: text({ example: 'deploy' }),
  createdAt: time({ example: EXAMPLE_TIME }),
  expiresAt: time({ orNull: true }),
  lastUsedAt: time({ orNull: true, about: 'Accurate to a minute.' }),
});
export type OperatorToken = Resource<typeof OPERATOR_TOKEN>;

export interface Actor {
  /** Null for the holder of the admin token. */
  readonly operatorId: string | null;
  readonly name: string;
  readonly role: Role;
  readonly storeIds: readonly string[] | null;
}

/** The holder of the admin token, who is always there: so nobody can be locked out. */
export const OWNER: Actor = { operatorId: null, name: 'Owner', role: 'owner', storeIds: null };

export const hasRole = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

export const reachesStore = ({ storeIds }: Pick<Actor, 'storeIds'>, storeId: string): boolean =>
  storeIds === null || storeIds.includes(storeId);

export const roleTooLow = (role: Role, needed: Role): Refusal<'forbidden'> =>
  refuse('forbidden', `Your role is ${role}. This needs ${needed}.`);

export const NEEDS_ALL_STORES = refuse('forbidden', 'Your access is limited to some stores. This needs access to all stores.');

/** An owner makes operators, and so reaches every store. */
export const isOwnerOfSomeStores = ({ role, storeIds }: Pick<Operator, 'role' | 'storeIds'>): boolean =>
  role === 'owner' && storeIds !== null;

/** The most stores that an operator is limited to. */
export const MAX_OPERATOR_STORES = 250;
