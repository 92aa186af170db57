import { contest } from '../support/contest.ts';
import { detailsAndReplays } from '../support/details-and-replays.ts';
import type { Prepared } from '../support/load.ts';
import { named, type CaseOptions, type CaseResult } from '../support/report.ts';
import { tenonSide } from '../support/stage.ts';
import { startTenon } from '../support/tenon.ts';
import { hasWrk } from '../support/wrk.ts';

const PRODUCTS = { full: 1_000, short: 128 };
const CONNECTIONS = 32;

/** A node with WORKERS=2 beside one with a single process: the processor time is that of all its processes. */
export const workers = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const stage = await open();
  const { environment, tenon } = stage;
  const several = await startTenon(environment.databaseUrl, { ROLE: 'api', WORKERS: '2' });
  const { details, replays } = await detailsAndReplays(stage, short ? PRODUCTS.short : PRODUCTS.full, 'workers');

  const sides = [tenonSide(several, 'WORKERS=2'), tenonSide(tenon, 'WORKERS=1')];
  const run = (inTurn: readonly Prepared[]) =>
    contest({ stage, sides, plan: { inTurn, byWrk: hasWrk }, connections: CONNECTIONS, goals: [undefined] }, { short, pairs });
  const figures = [...named('detail', await run(details)), ...named('replay', await run(replays))];
  await several.stop();
  await stage.close();
  return {
    about: `A node with WORKERS=2 compared with one of a single process, on the same PostgreSQL and the same processors as the load (${hasWrk ? 'wrk' : 'autocannon'}), with ${CONNECTIONS} connections. Limits are counted in the primary process.`,
    figures,
  };
};
