import type { Logger } from 'pino';

import type { Parent } from '../../cluster/fork.ts';
import { Line } from '../../cluster/line.ts';
import type { Frame } from '../../cluster/line.ts';
import type { TokenNews } from '../../http/serving/failed-tokens.ts';
import { withLocalSecrets } from '../../node/local-secrets.ts';
import { rateLimiter as memoryRateLimiter } from '../../node/rate-limiter.ts';
import type { MetricsSnapshot } from '../../prometheus/metrics.ts';
import type { Config, ParsedConfig } from '../config.ts';
import { createContainer, TOKENS } from '../container.ts';
import { apiProcesses, rateLimitPolicies } from '../derived-settings.ts';
import { startGathering } from '../gathering.ts';
import { listenPublic } from '../listeners.ts';
import type { Beside } from '../listeners.ts';
import { DRAIN_MS, endWaits, readinessOf } from '../server.ts';
import { StartFailure } from '../start-failure.ts';
import type { ApiLine, Asked, AskedBack, Told, ToldBack } from './protocol.ts';
import { countingIn, waitingTogether } from './shared-limits.ts';

/** The longest that a request waits for the primary process, as for Redis. */
const PATIENCE_MS = 250;

/** The primary process, as this one sees it. */
interface Primary {
  readonly line: ApiLine;
  readonly beside: Pick<Beside, 'tell' | 'onNews'>;
  /** Resolves when the primary stops this process. */
  readonly stopped: Promise<void>;
}

const connect = (parent: Parent, log: Logger, metrics: () => Promise<MetricsSnapshot>): Primary => {
  let onNews = (_news: TokenNews): void => undefined;
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const line: ApiLine = new Line<Asked, AskedBack, Told, ToldBack>(
    {
      send: (frame) => void parent.send(frame),
      patienceMs: PATIENCE_MS,
      onError: (error) => log.error({ err: error }, 'The metrics of this process could not be read.'),
      answering: { metrics },
    },
    (told) => {
      if (told.kind === 'stop') stop();
      else onNews(told.news);
    },
  );
  parent.onFrame((frame) => line.receive(frame as Frame<ToldBack>));
  return {
    line,
    stopped,
    beside: {
      tell: (news) => line.tell({ kind: 'token', news }),
      onNews: (listener) => {
        onNews = listener;
      },
    },
  };
};

const serve = async (config: Config, log: Logger, { line, beside }: Omit<Primary, 'stopped'>) => {
  const container = await createContainer(config, config.DATABASE_URL ?? '', log, {
    limiter: countingIn(line, memoryRateLimiter(rateLimitPolicies(config))),
    decorate: (ports) => ({ ...ports, feedSignal: waitingTogether(ports.feedSignal, line) }),
  });
  const gathering = startGathering(container, config);
  let stopping = false;
  try {
    const readiness = readinessOf(container, () => stopping);
    const api = await listenPublic(container, config, readiness, gathering, { count: apiProcesses(config, 1), ...beside });
    return {
      url: api.url,
      metrics: () => container.resolve(TOKENS.metrics).snapshot(),
      stop: async () => {
        stopping = true;
        endWaits(container);
        await api.close(DRAIN_MS);
        await gathering.stop();
        await container.close();
      },
    };
  } catch (error) {
    await gathering.stop();
    await container.close();
    throw error;
  }
};

/** `WORKERS` is the number of API processes. Serves the public port beside the other API processes, until the primary process stops it. */
export const runApiProcess = async (parsed: ParsedConfig, log: Logger, parent: Parent): Promise<void> => {
  let metrics = (): Promise<MetricsSnapshot> => Promise.resolve([]);
  const { stopped, ...primary } = connect(parent, log, () => metrics());
  try {
    const served = await serve(await withLocalSecrets(parsed), log, primary);
    ({ metrics } = served);
    primary.line.tell({ kind: 'listening', url: served.url });
    await stopped;
    await served.stop();
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    // The primary reports it.
    await parent.send({ news: [{ kind: 'failed', reason: error.message }] });
  }
};
