import { answerOf, compare, contest } from '../support/contest.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { credentials, openTenant, startCeiling, tenonSide } from '../support/stage.ts';
import { SECRET_KEYS } from '../support/tenon.ts';

const CONNECTIONS = 32;

/** Client credentials for a token. */
export const token = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const stage = await open();
  const { environment, tenon } = stage;
  const tenant = await openTenant(tenon);
  const facts = { key: SECRET_KEYS.slice(SECRET_KEYS.indexOf(':') + 1) };
  const ceiling = await startCeiling(environment, 'token.ts', tenant, { token: 'map', name: 'ceiling', facts });
  const sides = [tenonSide(tenon), ceiling];
  const exchange = {
    method: 'POST',
    path: '/apps/token',
    headers: { host: tenant.domain, 'content-type': 'application/x-www-form-urlencoded' },
    body: credentials(tenant),
  } as const;
  await compare(sides, exchange, (body) => body.replace(/tnn_at_\w{49}"/g, 'a token"'));
  // Tenon honours the ceiling's token: it is stored as its own are.
  const { accessToken } = JSON.parse((await answerOf(ceiling, exchange)).body) as { accessToken: string };
  const page = {
    method: 'GET',
    path: '/apps/catalog/products',
    headers: { ...tenant.headers, authorization: `Bearer ${accessToken}` },
  } as const;
  await compare([tenonSide(tenon)], page);
  const figures = await contest(
    { stage, sides, plan: { inTurn: [exchange] }, connections: CONNECTIONS, goals: [0.7] },
    { short, pairs },
  );
  await ceiling.stop();
  await stage.close();
  return {
    about: `Token exchanges over ${CONNECTIONS} connections, with rate limits that are never reached. Ceiling: Express and pg with one SELECT, the HMAC of the secret and one INSERT.`,
    figures,
  };
};
