import { machine, number, table } from '../kit/report.ts';
import type { CampaignResult } from './campaign.ts';
import { RULES, type Rule } from './judge.ts';
import { UNINSTALLED, WRITES } from './writes.ts';

/** The campaign's section of docs/reliability.md. */
export const reportOf = (result: CampaignResult, command: string): string => {
  const { judge, writes, cache, seconds } = result;
  const { hits, misses } = cache;
  const brokenBy = (rule: Rule): string => number(judge.broken.get(rule) ?? 0);
  const violated = [...judge.broken.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...Object.keys(WRITES), UNINSTALLED];
  return `## Readers beside writers

Three processes of Tenon run on one PostgreSQL. Readers ask all three for products, lists (first and deep pages, filters) and collections, with and without
If-None-Match, while writers change what these show. Two of the stores have the same ids with other texts, and again and again the same
revisions, as a database has them that was migrated. After each write the campaign renders the pages of the store from the rows, before it sends
the next one. So it knows every content of a page, when it can first be seen, and from when on it is stale. \`test/campaigns/readers/\` is the campaign, and
\`test/planted/readers.test.ts\` plants bugs and shows that it finds them.

In this run, ${brokenBy('stale')} answers were stale and ${brokenBy('crossed')} crossed into another store, in ${number(judge.judged)} answers. All were compared, ${number(judge.overlapping)} of them beside a write of the same store. ${number(violated)} broke a promise. The nodes
looked for ${number(hits + misses)} products and collections among those that they keep. They had ${number(hits)}, and rendered the other ${number(misses)}.

\`${command}\`: ${number(seconds)} seconds; ${machine()}; Node ${process.versions.node}.

${table(
  ['Promise', 'Violations'],
  Object.entries(RULES).map(([rule, promise]) => [promise, brokenBy(rule as Rule)]),
)}

${table(
  ['Write', 'Count'],
  kinds.map((kind) => [kind, number(writes.get(kind) ?? 0)]),
)}

${table(
  ['Status of an answer', 'Count'],
  [...judge.statuses].sort().map(([status, count]) => [status, number(count)]),
)}
`;
};
