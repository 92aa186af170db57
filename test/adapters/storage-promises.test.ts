import { expect, it } from 'vitest';

import { requirePromises } from '../../src/adapters/wiring/require-promises.ts';
import { engineAt } from '../../src/adapters/wiring/storage.ts';

const ONE = { REDIS_URL: undefined, ROLE: 'all', WORKERS: 1 } as const;
const faultOf = (promises: Parameters<typeof requirePromises>[0], config: Parameters<typeof requirePromises>[1]) => {
  try {
    requirePromises(promises, config);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

it('an address is opened by the adapter of its scheme', () => {
  expect(engineAt('postgres://host/name')).toBe(engineAt('postgresql://host/name'));
  expect(() => engineAt('mysql://host/name')).toThrow(
    'DATABASE_URL: must be a URL that begins with postgresql:// or postgres://, with one host or several',
  );
});

it('PostgreSQL promises all that the settings can need', () => {
  const { promises } = engineAt('postgresql://host/name');
  expect(faultOf(promises, { ...ONE, ROLE: 'worker', WORKERS: 'auto' })).toBeNull();
});

it('a database without a queue needs Redis', () => {
  const promises = new Set(['many_nodes'] as const);
  expect(faultOf(promises, ONE)).toBe('The database of DATABASE_URL cannot keep the queue: set REDIS_URL.');
  expect(faultOf(promises, { ...ONE, REDIS_URL: 'redis://host' })).toBeNull();
});

it.each([
  { ...ONE, ROLE: 'api' },
  { ...ONE, WORKERS: 2 },
  { ...ONE, WORKERS: 'auto' },
] as const)('a database for one process refuses %o', (config) => {
  const promises = new Set(['job_queue'] as const);
  expect(faultOf(promises, config)).toBe('The database of DATABASE_URL is for one process: set ROLE=all and WORKERS=1.');
  expect(faultOf(promises, ONE)).toBeNull();
});
