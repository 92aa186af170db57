import { describe, expect, it } from 'vitest';

import {
  grantedScopes,
  INSTALLATION_STATUSES,
  checkOverlap,
  mayBecome,
  mayCall,
  type InstallationStatus,
} from '../../../src/domain/identity/installation.ts';

describe('Installation: who may call', () => {
  it.each<[InstallationStatus, boolean]>([
    ['Installed', true],
    ['Suspended', false],
    ['Uninstalled', false],
  ])('%s: %s', (status, may) => {
    expect(mayCall(status)).toBe(may);
  });
});

describe('Installation: installed | uninstall of the app | uninstalled, which is final', () => {
  const allowed: Record<InstallationStatus, readonly InstallationStatus[]> = {
    Installed: ['Installed', 'Suspended', 'Uninstalled'],
    Suspended: ['Installed', 'Suspended', 'Uninstalled'],
    Uninstalled: ['Uninstalled'],
  };
  it.each(INSTALLATION_STATUSES)('from %s', (from) => {
    expect(INSTALLATION_STATUSES.filter((to) => mayBecome(from, to))).toEqual(allowed[from]);
  });
});

describe('Scopes', () => {
  it('are stored sorted, each once', () => {
    expect(grantedScopes(['write_products', 'read_orders', 'write_products'])).toEqual(['read_orders', 'write_products']);
  });
});

it.each([
  [0, true],
  [1, true],
  [604_800, true],
  [604_801, false],
  [-1, false],
  [1.5, false],
  [NaN, false],
])('A rotation may overlap for %s seconds: %s', (seconds, expected) => {
  const refusal = { ok: false, code: 'invalid', message: 'overlapSeconds must be an integer from 0 to 604800.' };
  expect(checkOverlap(seconds)).toEqual(expected ? null : refusal);
});
