import { join } from 'node:path';
import { expect, it } from 'vitest';

import { crashingChild } from '../contract/rules/crash-child.ts';
import { crashFaults } from '../contract/rules/crash-rules.ts';

const faultsOf = async (name: string): Promise<string[]> => {
  const world = await crashingChild(join(import.meta.dirname, 'crashes', name));
  const faults = await crashFaults(world);
  await world.close();
  return faults;
};

it('kills of a process find commits that are stored in parts', async () => {
  expect((await faultsOf('commits-in-parts.ts')).join()).toMatch('is there by half');
});

it('kills of a process find no fault in commits that are stored whole', async () => {
  expect(await faultsOf('whole-commits.ts')).toEqual([]);
});
