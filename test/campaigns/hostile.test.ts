import { expect, it } from 'vitest';

import { runMain } from '../support/main-process.ts';
import { createEmptyDatabase } from '../support/postgres.ts';

const CASES = [
  'properties',
  'json',
  'strings',
  'heads',
  'addresses',
  'isolation',
  'secrets',
  'slow',
  'strangers',
  'names',
  'guard',
  'load',
];

it('the short campaign of bad input: no 5xx, no request without an answer, no leak', async () => {
  const database = await createEmptyDatabase();
  try {
    const campaign = runMain({
      command: [process.execPath, '--import', 'tsx', 'test/campaigns/hostile/index.ts', '--short', '--database', database.url],
    });
    const code = await campaign.ended;
    expect(code, `${campaign.out()}\n${campaign.err()}`).toBe(0);
    const cases = [...campaign.out().matchAll(/^✓ (\w+): (\d+) requests/gm)].map(([, name]) => name);
    expect(cases).toEqual(CASES);
  } finally {
    await database.drop();
  }
}, 600_000);

it('an unknown case exits with 2 and lists the existing cases', async () => {
  const campaign = runMain({
    command: [process.execPath, '--import', 'tsx', 'test/campaigns/hostile/index.ts', '--only', 'nothing'],
  });
  expect(await campaign.ended).toBe(2);
  expect(campaign.err()).toContain(`There is no case nothing. The cases are: ${CASES.join(', ')}.\n`);
}, 120_000);
