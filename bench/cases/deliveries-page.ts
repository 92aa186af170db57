import { startChild } from '../support/child.ts';
import { openEnvironment } from '../support/environment.ts';
import { fillLog } from '../support/log.ts';
import type { CaseOptions, CaseResult, Figure } from '../support/report.ts';
import { openShop } from '../support/shop.ts';
import { keepPlan, lengthOf, sendPlan } from '../support/stage.ts';
import { spreadOf } from '../support/statistics.ts';
import { startTenon } from '../support/tenon.ts';

const FORMS = {
  full: { rows: 10_000_000, chunk: 500_000 },
  short: { rows: 20_000, chunk: 20_000 },
};
const MOST_MS = 15;

/** The newest page of a store's deliveries by two filters, as the merchant reads it, one after the other. */
export const deliveriesPage = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  const { rows, chunk } = FORMS[short ? 'short' : 'full'];
  const environment = await openEnvironment();
  const load = startChild('support/load.ts');
  const tenon = await startTenon(environment.databaseUrl, { ROLE: 'api' });
  const shop = await openShop(tenon);
  const subscriptionId = await fillLog(environment.pool, shop, rows, chunk);
  await environment.pool.query('CHECKPOINT');
  const filters: Readonly<Record<string, string>> = {
    'failed, of one type': 'status=Failed&types=order.paid',
    'delivered, of one type': 'status=Delivered&types=order.paid',
    'failed, of one subscription': `status=Failed&subscriptionId=${subscriptionId}`,
    'of one app, by error': `installationId=${shop.installationId}&errors=timeout`,
    'waiting, of one subscription': `status=Waiting&subscriptionId=${subscriptionId}`,
    'of one resource and type': 'resourceId=resource-10&types=order.paid',
  };
  const figures: Figure[] = [];
  for (const [name, query] of Object.entries(filters)) {
    const path = `/admin/stores/${shop.storeId}/deliveries?${query}`;
    await keepPlan(load, name, { inTurn: [{ method: 'GET', path, headers: tenon.adminHeaders }] });
    const round = async (): Promise<number> => {
      const { p50, errors } = await sendPlan(load, { plan: name, urls: [tenon.adminUrl], connections: 1, ...lengthOf(short, 1) });
      if (errors > 0) throw new Error(`${name}: ${errors} errors`);
      return p50;
    };
    await round();
    const times: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1) times.push(await round());
    process.stderr.write(`${name}: p50 ${times.map((time) => time.toFixed(2)).join(', ')} ms\n`);
    // A resource has no index: its page reads at most 50,000 deliveries, and may be short.
    figures.push({
      name: `${name}: p50`,
      unit: 'ms',
      ...(!query.includes('resourceId') && { most: MOST_MS }),
      ...spreadOf(times),
    });
  }
  await Promise.all([load.stop(), tenon.stop()]);
  await environment.close();
  return {
    about: `The newest 50 of ${rows} deliveries of a store by two filters, over one connection. Of the deliveries, 1 % failed, 0.1 % wait, and 10 % are of the type.`,
    figures,
  };
};
