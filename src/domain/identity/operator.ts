import { refuse, type Refusal } from '../result.ts';

/** From the one who may do the least. Each may do what those before it may. */
export const ROLES = ['viewer', 'operator', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** A person or a machine that the owner has named. */
export interface Operator {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
  /** The only stores that the operator reaches; null for all. */
  readonly storeIds: readonly string[] | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

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
