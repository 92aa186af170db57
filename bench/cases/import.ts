import { importProducts, plainProduct } from '../support/catalogue.ts';
import { MOST_RSS } from '../support/contest.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { openShop } from '../support/shop.ts';
import { spreadOf } from '../support/statistics.ts';

const PRODUCTS = { full: 10_000, short: 300 };
/** The factor of the larger import, which shows whether memory grows with the file. */
const LARGE = 5;
const SAMPLE_MS = 50;

/** NDJSON into a new store each time, read as it comes. */
export const imports = async ({ short, pairs, stage: open }: CaseOptions): Promise<CaseResult> => {
  const count = short ? PRODUCTS.short : PRODUCTS.full;
  const stage = await open();
  const { tenon } = stage;
  const round = async (products: number): Promise<{ rate: number; rss: number }> => {
    const { storeId } = await openShop(tenon);
    let rss = 0;
    const sampling = setInterval(() => (rss = Math.max(rss, tenon.rss())), SAMPLE_MS);
    const begunAt = performance.now();
    await importProducts(tenon, storeId, products, plainProduct);
    const rate = (products * 1000) / (performance.now() - begunAt);
    clearInterval(sampling);
    process.stderr.write(`${products} products at ${Math.round(rate)}/s, RSS ${Math.round(rss)} MB\n`);
    return { rate, rss: Math.max(rss, tenon.rss()) };
  };
  await round(count);
  const rounds = [];
  for (let pair = 0; pair < pairs; pair += 1) rounds.push(await round(count));
  const large = await round(count * LARGE);
  await stage.close();
  const rss = spreadOf(rounds.map((one) => one.rss));
  return {
    about: `An NDJSON import of ${count} products with one variant, one stock and one picture each into an empty store, and one of ${count * LARGE} products.`,
    figures: [
      { name: 'import', unit: 'products/s', least: 2_000, ...spreadOf(rounds.map(({ rate }) => rate)) },
      { name: `import of ${LARGE} times as many`, unit: 'products/s', least: 2_000, median: large.rate },
      { name: 'RSS at most', unit: 'MB', most: MOST_RSS, ...rss },
      { name: `RSS at most of ${LARGE} times as many to that`, unit: 'ratio', most: 1.2, median: large.rss / rss.median },
    ],
  };
};
