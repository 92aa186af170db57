import type { Logger } from 'pino';

import type { RateLimiter } from '../../../domain/ports/identity/rate-limiter.ts';
import type { FeedSignal } from '../../../domain/ports/webhooks/feed-signal.ts';
import type { TokenNews } from '../../http/serving/admit/failed-tokens.ts';
import { memoryRateLimiter } from '../../node/rate-limiter.ts';
import type { MetricsSnapshot } from '../../prometheus/metrics.ts';
import { NEVER_EMPTY, withLocalSecrets } from '../../startup/local-secrets.ts';
import { StartFailure } from '../../startup/start-failure.ts';
import { createContainer } from '../ports/container.ts';
import { TOKENS } from '../ports/tokens.ts';
import { startGathering } from '../serve/gathering.ts';
import { listenPublic, type Siblings } from '../serve/listeners.ts';
import { DRAIN_MS, endWaits, judgeParts, readinessOf, watchOwnGeneration } from '../serve/server.ts';
import type { Config, ParsedConfig } from '../settings/config.ts';
import { apiProcesses, rateLimitPolicies } from '../settings/derived-settings.ts';
import { Channel, type Frame } from './channel.ts';
import type { Parent } from './fork.ts';
import type { ApiChannel, ApiQuestions, PrimaryQuestions, ApiNews, PrimaryNews } from './protocol.ts';
import { sharingTogether, workShare } from './work-share.ts';

/** Counts in the primary process. While that does not answer, this process counts by itself, from zero. */
export const countingIn = (channel: Pick<ApiChannel, 'ask'>, alone: RateLimiter): RateLimiter => ({
  consume: async (bucket, key) => (await channel.ask('count', [bucket, key])) ?? alone.consume(bucket, key),
});

/**
 * The requests of an installation that wait are counted in the primary process, and in this one as
 * before. While the primary does not answer, the count of this process decides.
 */
const waitingTogether = (feedSignal: FeedSignal, channel: Pick<ApiChannel, 'ask' | 'tell'>): FeedSignal => ({
  ...feedSignal,
  watch: async (watcher, seconds, signal) => {
    const { installationId } = watcher;
    if (installationId === null) return feedSignal.watch(watcher, seconds, signal);
    const place = ['wait', installationId] as const;
    if ((await channel.ask('place', place)) === false) return null;
    const watch = await feedSignal.watch(watcher, seconds, signal).catch((error: unknown) => {
      channel.tell({ kind: 'left', place });
      throw error;
    });
    if (watch === null) channel.tell({ kind: 'left', place });
    return (
      watch && {
        changed: () => watch.changed(),
        end: () => {
          watch.end();
          channel.tell({ kind: 'left', place });
        },
      }
    );
  },
});

/** The longest that a request waits for the primary process, as for Redis. */
const PATIENCE_MS = 250;

interface Primary {
  readonly channel: ApiChannel;
  readonly siblings: Pick<Siblings, 'tell' | 'onNews'>;
  readonly stopped: Promise<void>;
  readonly onDrain: (listener: () => void) => void;
}

interface Answers {
  metrics(): Promise<MetricsSnapshot>;
  ready(): Promise<boolean>;
}

const connect = (parent: Parent, log: Logger, answers: Answers): Primary => {
  let onNews = (_news: TokenNews): void => undefined;
  let drain = (): void => undefined;
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const channel: ApiChannel = new Channel<ApiQuestions, PrimaryQuestions, ApiNews, PrimaryNews>(
    {
      send: (frame) => void parent.send(frame),
      patienceMs: PATIENCE_MS,
      onError: (error) => log.error({ err: error }, 'A question of the primary process could not be answered.'),
      answering: { metrics: () => answers.metrics(), ready: () => answers.ready() },
    },
    (news) => {
      if (news.kind === 'stop') stop();
      else if (news.kind === 'drain') drain();
      else onNews(news.news);
    },
  );
  parent.onFrame((frame) => channel.receive(frame as Frame<PrimaryNews>));
  return {
    channel,
    stopped,
    onDrain: (listener) => {
      drain = listener;
    },
    siblings: {
      tell: (news) => channel.tell({ kind: 'token', news }),
      onNews: (listener) => {
        onNews = listener;
      },
    },
  };
};

const serve = async (config: Config, log: Logger, { channel, siblings }: Pick<Primary, 'channel' | 'siblings'>) => {
  const container = await createContainer(config, config.DATABASE_URL ?? '', log, {
    limiter: countingIn(channel, memoryRateLimiter(rateLimitPolicies(config))),
    workShare: sharingTogether(channel, workShare()),
    role: 'api',
    decorate: (ports) => ({ ...ports, feedSignal: waitingTogether(ports.feedSignal, channel) }),
  });
  const gathering = startGathering(container, config);
  const stopWatching = watchOwnGeneration(container);
  let stopping = false;
  try {
    const readiness = readinessOf(judgeParts(container), () => stopping);
    const api = await listenPublic(container, config, readiness, gathering, { count: apiProcesses(config, 1), ...siblings });
    return {
      url: api.url,
      answers: {
        metrics: () => container.resolve(TOKENS.metrics).snapshot(),
        ready: async () => (await readiness())['database'] === 'ok',
      },
      drain: () => {
        stopping = true;
        api.drain();
      },
      stop: async () => {
        stopping = true;
        endWaits(container);
        await api.close(DRAIN_MS);
        await Promise.all([gathering.stop(), stopWatching()]);
        await container.close();
      },
    };
  } catch (error) {
    await Promise.all([gathering.stop(), stopWatching()]);
    await container.close();
    throw error;
  }
};

/** `WORKERS` is the number of API processes. Serves the public port siblings the other API processes, until the primary process stops it. */
export const runApiProcess = async (parsed: ParsedConfig, log: Logger, parent: Parent): Promise<void> => {
  const answers: Answers = { metrics: () => Promise.resolve([]), ready: () => Promise.resolve(false) };
  const { stopped, onDrain, ...primary } = connect(parent, log, answers);
  try {
    const served = await serve(await withLocalSecrets(parsed, NEVER_EMPTY), log, primary);
    Object.assign(answers, served.answers);
    onDrain(served.drain);
    primary.channel.tell({ kind: 'listening', url: served.url });
    await stopped;
    await served.stop();
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    // The primary reports it.
    await parent.send({ news: [{ kind: 'failed', reason: error.message }] });
  }
};
