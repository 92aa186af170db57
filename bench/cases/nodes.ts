import { contest } from '../support/contest.ts';
import { detailsAndReplays } from '../support/details-and-replays.ts';
import type { Prepared } from '../support/load.ts';
import { named, type CaseOptions, type CaseResult } from '../support/report.ts';
import { tenonSide } from '../support/stage.ts';
import { startTenon } from '../support/tenon.ts';
import { hasWrk } from '../support/wrk.ts';

const PRODUCTS = { full: 1_000, short: 128 };
const CONNECTIONS = 32;

/** Two API processes beside one, over the same PostgreSQL. */
export const nodes = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const stage = await open();
  const { environment, tenon } = stage;
  const other = await startTenon(environment.databaseUrl, { ROLE: 'api' });
  const { details, replays } = await detailsAndReplays(stage, short ? PRODUCTS.short : PRODUCTS.full, 'two-nodes');

  const one = tenonSide(tenon, 'one node');
  const two = { name: 'two nodes', urls: [tenon.url, other.url], pids: [tenon.pid, other.pid] };
  const run = (inTurn: readonly Prepared[]) =>
    contest(
      { stage, sides: [two, one], plan: { inTurn, byWrk: hasWrk }, connections: CONNECTIONS, goals: [1.5] },
      { short, pairs },
    );
  const figures = [...named('detail', await run(details)), ...named('replay', await run(replays))];
  await other.stop();
  await stage.close();
  return {
    about: `Two API processes compared with one, on the same PostgreSQL and the same processors as the load (${hasWrk ? 'wrk' : 'autocannon'}), with ${CONNECTIONS} connections in total.`,
    figures,
  };
};
