import { expect, it } from 'vitest';

import { openMemoryPorts } from '../support/memory-ports.ts';

const STORE = '019a0000-0000-7000-8000-000000000001';

it('a planted write of products without the lock of the catalogue is refused', async () => {
  const { transaction } = openMemoryPorts();
  await expect(transaction.run(null, ({ products }) => products.save(STORE, []))).rejects.toThrow('is not locked');
  await expect(transaction.run(null, ({ products }) => products.insert(STORE, []))).rejects.toThrow('is not locked');
  await expect(transaction.run(null, ({ products }) => products.remove(STORE, STORE, ''))).rejects.toThrow('is not locked');
});

it('planted work with an effect outside of its ports has it twice', async () => {
  const { transaction } = openMemoryPorts();
  let effects = 0;
  await transaction.run(null, async () => (effects += 1));
  expect(effects).toBe(2);
});
