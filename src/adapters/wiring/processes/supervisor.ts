import type { Logger } from 'pino';

import type { RateLimiter } from '../../../domain/ports/identity/rate-limiter.ts';
import { MAX_WAITING } from '../../../domain/webhooks/feed.ts';
import { MOST_AT_ONCE } from '../../http/work-share.ts';
import type { MetricsSnapshot } from '../../prometheus/metrics.ts';
import { StartFailure } from '../../startup/start-failure.ts';
import { Channel, type Frame } from './channel.ts';
import type { Forked, Fork } from './fork.ts';
import { Places } from './places.ts';
import type { PrimaryChannel, ApiNews } from './protocol.ts';
import { earlyEnds, startFault, waitBefore, type End } from './replacement.ts';

interface ProcessPlace {
  readonly number: number;
  process: { readonly forked: Forked; readonly channel: PrimaryChannel } | null;
  url: string | null;
  listenedAt: number;
  reason: string | null;
  early: number;
  timer?: NodeJS.Timeout;
}

const emptyPlace = (number: number): ProcessPlace => ({
  number,
  process: null,
  url: null,
  listenedAt: 0,
  reason: null,
  early: 0,
});

interface SupervisorOptions {
  readonly count: number;
  readonly fork: Fork;
  readonly log: Logger;
  readonly limiter: RateLimiter;
  readonly onEnd: (place: number) => void;
}

/** For an answer of a process. */
const PATIENCE_MS = 1_000;
/** For the end of a process, beside the time that its requests have. */
const CLOSING_MS = 700;

const MOST = { wait: MAX_WAITING, ...MOST_AT_ONCE };

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #places: readonly ProcessPlace[];
  readonly #shared = new Places();
  #onChange: (fault: string | null) => void = () => undefined;
  #isStarting = true;
  #isStopping = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.count }, (_, at) => emptyPlace(at + 1));
  }

  /**
   * Starts the processes. Resolves to the address that they listen on, once all of them do. Throws a
   * StartFailure when one can't start.
   */
  async open(): Promise<string> {
    const url = await new Promise<string>((resolve, reject) => {
      this.#onChange = (fault) => {
        const [first, ...others] = this.#places.map((place) => place.url);
        if (fault !== null) reject(new StartFailure(fault));
        else if (first != null && !others.includes(null)) resolve(first);
      };
      for (const place of this.#places) this.#start(place);
    });
    this.#isStarting = false;
    return url;
  }

  async isReady(): Promise<boolean> {
    const asked = this.#places.flatMap(({ url, process }) => (url !== null && process ? process.channel.ask('ready', null) : []));
    return (await Promise.all(asked)).includes(true);
  }

  /** The figures of each process by its place. One that does not answer, or has ended since, is left out. */
  async metrics(): Promise<ReadonlyMap<number, MetricsSnapshot>> {
    const ask = async (place: ProcessPlace) => {
      const { process } = place;
      return { place, process, snapshot: await process?.channel.ask('metrics', null) };
    };
    const answers = await Promise.all(this.#places.map(ask));
    // The ended counters already include a process that ended during the wait for the others.
    return new Map(
      answers.flatMap(({ place, process, snapshot }) =>
        snapshot && place.process === process ? [[place.number, snapshot] as const] : [],
      ),
    );
  }

  drain(): void {
    for (const { process } of this.#places) process?.channel.tell({ kind: 'drain' });
  }

  /** Stops the processes in order. One that still runs after `graceMs` and a little more is ended. */
  async close(graceMs: number): Promise<void> {
    this.#isStopping = true;
    for (const { timer, process } of this.#places) {
      clearTimeout(timer);
      process?.channel.tell({ kind: 'stop' });
    }
    const cut = setTimeout(() => {
      for (const { process } of this.#places) process?.forked.kill();
    }, graceMs + CLOSING_MS);
    await new Promise<void>((resolve) => {
      this.#onChange = () => {
        if (this.#places.every(({ process }) => process === null)) resolve();
      };
      this.#onChange(null);
    });
    clearTimeout(cut);
  }

  #start(place: ProcessPlace): void {
    const { fork, limiter, log } = this.#options;
    const forked = fork({
      onFrame: (frame) => channel.receive(frame as Frame<ApiNews>),
      onEnd: (how) => {
        channel.end();
        this.#shared.giveAll(channel);
        this.#ended(place, how);
      },
    });
    const channel: PrimaryChannel = new Channel(
      {
        send: (frame) => forked.send(frame),
        patienceMs: PATIENCE_MS,
        onError: (error) => log.error({ err: error }, 'A question of an API process was not answered.'),
        answering: {
          count: ([bucket, key]) => limiter.consume(bucket, key),
          place: (place) => Promise.resolve(this.#shared.take(channel, place.join(' '), MOST[place[0]])),
        },
      },
      (news) => this.#hear(place, channel, news),
    );
    place.process = { forked, channel };
  }

  #hear(place: ProcessPlace, channel: PrimaryChannel, news: ApiNews): void {
    if (news.kind === 'listening') this.#listens(place, news.url);
    else if (news.kind === 'failed') place.reason = news.reason;
    else if (news.kind === 'left') this.#shared.give(channel, news.place.join(' '));
    else for (const { process } of this.#places) if (process && process.channel !== channel) process.channel.tell(news);
  }

  #listens(place: ProcessPlace, url: string): void {
    place.url = url;
    place.listenedAt = performance.now();
    this.#options.log.info({ process: place.number, pid: place.process?.forked.pid }, 'an API process listens');
    this.#onChange(null);
  }

  #ended(place: ProcessPlace, how: Pick<End, 'code' | 'signal'>): void {
    const { log, onEnd } = this.#options;
    const { number, reason, process } = place;
    const servedMs = place.url === null ? null : performance.now() - place.listenedAt;
    place.process = place.url = place.reason = null;
    onEnd(number);
    if (this.#isStopping) {
      this.#onChange(null);
      return;
    }
    const fault = this.#isStarting ? startFault({ ...how, reason }) : null;
    if (fault !== null) {
      this.#onChange(fault);
      return;
    }
    place.early = earlyEnds(place.early, { servedMs });
    const waitMs = waitBefore(place.early);
    log.error(
      { process: number, pid: process?.forked.pid, ...how, reason, waitMs },
      'An API process ended. Another one takes its place.',
    );
    place.timer = setTimeout(() => this.#start(place), waitMs);
  }
}
