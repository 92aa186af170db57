import { describe, expect, it } from 'vitest';

import { runCampaign } from '../campaigns/readers/campaign.ts';
import type { Rule } from '../campaigns/readers/judge.ts';
import type { Bug } from '../campaigns/readers/node/bugs.ts';

const PLANTED: readonly (readonly [Bug, Rule])[] = [
  ['nested-rows', 'stale'],
  ['category', 'stale'],
  ['tax-class', 'stale'],
  ['never-asks', 'stale'],
  ['shared-page', 'crossed'],
  ['kept-page', 'crossed'],
  ['kept-token', 'uninstalled'],
];

describe('the campaign finds a planted bug', () => {
  it.each(PLANTED)('%s: %s', { timeout: 300_000 }, async (plant, rule) => {
    const { judge } = await runCampaign({ seed: 1, reads: 20_000, plant, endsWith: rule });
    expect([...judge.broken.keys()]).toContain(rule);
  });
});
