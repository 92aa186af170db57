import { describe, expect, it } from 'vitest';

import { memoryCrashWorld } from '../contract/memory/crashes.ts';
import { PLANTS } from '../contract/memory/plants.ts';
import { memoryRulesWorld } from '../contract/memory/rules.ts';
import { crashFaults } from '../contract/rules/crash-rules.ts';
import { outageFaults } from '../contract/rules/outage-rules.ts';
import { blindExamples } from '../contract/rules/store-rules.ts';
import { waitingFaults } from '../contract/rules/transaction-rules.ts';
import type { RulesWorld } from '../contract/rules/rules-world.ts';
import { RULES } from '../contract/storage-rules.ts';

const faultsIn = async (open: () => Promise<RulesWorld>): Promise<readonly string[]> => {
  // A planted hang shows within the time of a test.
  const rules = RULES.map(([rule, faultsOf]) =>
    rule.startsWith('ends') ? (world: RulesWorld) => waitingFaults(world, 200) : faultsOf,
  );
  for (const faultsOf of rules) {
    const faults = await faultsOf(await open()).catch((error: unknown) => [String(error)]);
    if (faults.length > 0) return faults;
  }
  return [];
};

describe('the storage rules find a planted fault', () => {
  it.each(Object.entries(PLANTS))('%s', async (_, plant) => {
    expect(await faultsIn(() => memoryRulesWorld(plant))).not.toEqual([]);
  });
  it.each([1, 2, 3, 5])('work that is refused is tried %i times', async (tries) => {
    expect(await outageFaults(await memoryRulesWorld(undefined, tries))).not.toEqual([]);
  });
  it.each(['the last commit', 'a part of the last commit'] as const)('a crash loses %s', async (what) => {
    expect(await crashFaults(await memoryCrashWorld(what))).not.toEqual([]);
  });
});

it('the storage rules find no fault in a crash that loses nothing', async () => {
  expect(await crashFaults(await memoryCrashWorld('nothing'))).toEqual([]);
});

it('every example shows something of a store but these', async () => {
  expect(await blindExamples(await memoryRulesWorld())).toEqual([
    'deliveryLog.unsent',
    'deliveryLog.gatheredInto',
    'installRequests.get',
    'installRequests.isDecided',
    'mediaImportLog.failed',
    'sandboxRecords.count',
    'transaction.products.lockCatalogue',
    'transaction.sandboxRoom.forEntries',
    'transaction.sandboxRoom.forImages',
  ]);
});
