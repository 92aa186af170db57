import { answerOf, contest } from '../support/contest.ts';
import type { Prepared } from '../support/load.ts';
import type { CaseOptions, CaseResult, Figure } from '../support/report.ts';
import { openTenant, tenonSide, type Side } from '../support/stage.ts';
import { startTenon } from '../support/tenon.ts';

const CONNECTIONS = 32;
/** The processor time of a refusal with the request log, to that without it. */
const MOST = 1.1;
const LIMITS = { ROLE: 'api', RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '1' };

/** Throws unless the side refuses each request as the flood needs it. */
const assertRefused = async (side: Side, flood: readonly Prepared[]): Promise<void> => {
  // The first request with the token is within the limit.
  for (const prepared of flood) await answerOf(side, prepared);
  const statuses = [];
  for (const prepared of flood) statuses.push((await answerOf(side, prepared)).status);
  if (statuses.join() !== '401,429') throw new Error(`${side.name} answers ${statuses.join(' and ')} instead of 401 and 429`);
};

/** All requests are refused on purpose, so their number as errors says nothing. */
const judged = (figures: readonly Figure[]): Figure[] => {
  const shown = figures.filter(({ name }) => !name.endsWith(': errors'));
  const isMain = ({ name }: Figure): boolean => name.startsWith('CPU of the process to that');
  return [...shown.filter(isMain).map((figure) => ({ ...figure, most: MOST })), ...shown.filter((figure) => !isMain(figure))];
};

/** A flood of requests that are refused, with and without the request log. */
export const refusals = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const stage = await open();
  const { environment, tenon } = stage;
  const tenant = await openTenant(tenon);
  const logging = await startTenon(environment.databaseUrl, { ...LIMITS, REQUEST_LOG_DAYS: '7' });
  const silent = await startTenon(environment.databaseUrl, { ...LIMITS, REQUEST_LOG_DAYS: '0' });
  const sides = [tenonSide(logging, 'Tenon'), tenonSide(silent, 'Tenon without the log')];
  const list = { method: 'GET', path: '/apps/catalog/products' } as const;
  const flood = [
    { ...list, headers: { ...tenant.headers, authorization: 'Bearer none' } },
    { ...list, headers: tenant.headers },
  ];
  for (const side of sides) await assertRefused(side, flood);
  const figures = await contest(
    { stage, sides, plan: { inTurn: flood }, connections: CONNECTIONS, goals: [undefined] },
    { short, pairs },
  );
  await Promise.all([logging.stop(), silent.stop()]);
  await stage.close();
  return {
    about: `Requests over ${CONNECTIONS} connections that are all refused: half with a token that is not valid (401), half over the rate limit of their app (429). Tenon with the request log (REQUEST_LOG_DAYS=7) beside Tenon without it (0).`,
    figures: judged(figures),
  };
};
