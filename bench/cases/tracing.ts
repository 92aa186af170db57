import { openEnvironment } from '../support/environment.ts';
import { openSink } from '../support/span-sink.ts';
import type { CaseOptions, CaseResult } from '../support/report.ts';
import { spreadOf } from '../support/statistics.ts';
import { startTenon } from '../support/tenon.ts';
import { inTurn, openWriter } from './subscriptions.ts';

const WRITES = { full: 200, short: 10 };

/** The price of a write whose spans are sent to a collector, beside one without: two servers on one database, in turn. */
export const tracing = async ({ short, pairs }: CaseOptions): Promise<CaseResult> => {
  const count = short ? WRITES.short : WRITES.full;
  const { databaseUrl, pool, close } = await openEnvironment();
  const sink = await openSink();
  const env = { ROLE: 'api' };
  const [off, on] = [
    await startTenon(databaseUrl, env),
    await startTenon(databaseUrl, { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: sink.url }),
  ];
  const writers = { off: await openWriter(off, pool, 0), on: await openWriter(on, pool, 0) };
  const round = () => inTurn(writers, count);
  await round();
  const rounds: Awaited<ReturnType<typeof round>>[] = [];
  for (let pair = 0; pair < pairs; pair += 1) rounds.push(await round());
  await Promise.all([off.stop(), on.stop()]);
  const { requests } = sink;
  await Promise.all([sink.close(), close()]);
  if (requests() === 0) throw new Error('the server with a collector sent no spans');
  return {
    about: `A bulk update of one product (ROLE=api, new keys, one after the other) at a server without tracing and at one that sends its spans to a collector on the same machine, in turn, ${count} of each a round. The ratio is that of the medians.`,
    figures: [
      { name: 'with tracing to without', unit: 'ratio', most: 1.1, ...spreadOf(rounds.map((round) => round.on / round.off)) },
      { name: 'a write without tracing, p50', unit: 'ms', ...spreadOf(rounds.map((round) => round.off)) },
      { name: 'a write with tracing, p50', unit: 'ms', ...spreadOf(rounds.map((round) => round.on)) },
    ],
  };
};
