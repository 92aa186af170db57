import { describe, expect, it } from 'vitest';

import { hasRole, isOwnerOfSomeStores, reachesStore, ROLES, roleTooLow } from '../../../src/domain/identity/operator.ts';

describe('an operator', () => {
  it('may do what the roles below may do', () => {
    const allowed = ROLES.map((role) => ROLES.filter((needed) => hasRole(role, needed)));
    expect(allowed).toEqual([['viewer'], ['viewer', 'operator'], ['viewer', 'operator', 'owner']]);
    expect(roleTooLow('viewer', 'owner')).toMatchObject({
      code: 'forbidden',
      message: 'Your role is viewer. This needs owner.',
    });
  });
  it('reaches every store, or the named ones alone', () => {
    expect(reachesStore({ storeIds: null }, 'a')).toBe(true);
    expect(reachesStore({ storeIds: ['a'] }, 'a')).toBe(true);
    expect(reachesStore({ storeIds: ['a'] }, 'b')).toBe(false);
    expect(reachesStore({ storeIds: [] }, 'a')).toBe(false);
  });
  it('who is an owner cannot be limited to some stores', () => {
    expect(isOwnerOfSomeStores({ role: 'owner', storeIds: [] })).toBe(true);
    expect(isOwnerOfSomeStores({ role: 'owner', storeIds: null })).toBe(false);
    expect(isOwnerOfSomeStores({ role: 'operator', storeIds: [] })).toBe(false);
  });
});
