import { WaitingError, withBackend } from 'bullmq';
import type { BackendFactory, Job, JobsOptions } from 'bullmq';

import type { BackendAddress, Backend, OnError } from './backend.ts';
import { patient } from './patient.ts';
import { openPostgresBackend } from './postgres-backend.ts';
import { openRedisBackend } from './redis-backend.ts';
import { Runs } from './runs.ts';

export interface JobQueueOptions {
  readonly topic: string;
  readonly backend: BackendAddress;
  /** Pieces of work that this node takes from the queue at once. */
  readonly concurrency: number;
  /**
   * While it works, a node does what is asked for there by itself and at once, as long as it does fewer pieces than this: no hop through the queue lies
   * between. The queue has the rest, what failed here, what is for later, and what is asked for on nodes that don't work. A node that dies
   * forgets what it was asked for here. So a sweep does by itself what the queue keeps from everyone: its times are those of the node that took a
   * job or put it off, whose clock may be an hour ahead. None unless told.
   */
  readonly atHand?: number;
  readonly onError: OnError;
}

type Handlers<Name extends string> = Readonly<Record<Name, (id: string) => Promise<void>>>;

/** Coarse work: a name and the id of what it is about. The same asked many times is one job; asked while it runs, one more follows. */
export interface JobQueue<Name extends string> {
  ask(name: Name, ids: readonly string[]): Promise<void>;
  /** In so many seconds; a later call for the same replaces the time. */
  askLater(name: Name, id: string, seconds: number): Promise<void>;
  work(handlers: Handlers<Name>): void;
  depth(): Promise<number>;
  close(): Promise<void>;
}

interface About {
  readonly id: string;
}

/** Nothing piles up, and nothing is given up. */
const forEver: JobsOptions = {
  attempts: 2 ** 31 - 1,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 0,
};

/** 0.25 s, 0.5 s, 1 s, ... 5 s: meanwhile what is asked for the same waits too. */
const backoffStrategy = (attemptsMade: number): number => Math.min(250 * 2 ** (attemptsMade - 1), 5000);

/** The work of a node that died goes on elsewhere once its lock has ended and a look found it: 4 to 7 s after a kill -9, as measured on both storages. */
const timing = { lockDuration: 6000, stalledInterval: 1500, maxStalledCount: 2 ** 31 - 1, runRetryDelay: 1000, drainDelay: 5 };

const openBackend = (address: BackendAddress, onError: OnError): Promise<Backend> | Backend =>
  'redisUrl' in address ? openRedisBackend(address.redisUrl) : openPostgresBackend(address.databaseUrl, onError);

/** How long a caller waits at most: the sweep makes good what could not be asked. */
const ANSWER_MS = 2000;

const within = async <T>(answer: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`the queue did not answer within ${ANSWER_MS} ms`));
    }, ANSWER_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
};

const options = (name: string, id: string, delay?: number): JobsOptions => ({
  ...forEver,
  ...(delay !== undefined && { delay }),
  deduplication: { id: `${name}:${id}`, keepLastIfActive: true, ...(delay !== undefined && { reschedule: true }) },
});

export const openJobQueue = async <Name extends string>({
  topic,
  backend: address,
  concurrency,
  atHand = 0,
  onError,
}: JobQueueOptions): Promise<JobQueue<Name>> => {
  const backend = await openBackend(address, onError);
  const connection = {};
  const factory: BackendFactory = (...of) => patient(backend.factory(...of));
  const { Queue, Worker } = withBackend(factory);
  const queue = new Queue<About>(topic, { connection, streams: { events: { maxLen: 100 } } });
  queue.on('error', onError);
  const workers: { close(): Promise<void> }[] = [];
  const runs = new Runs();
  let handlers: Handlers<Name> | null = null;
  let closing = false;

  const run = (work: string, handler: () => Promise<void>): Promise<void> =>
    runs.run(work, async () => {
      try {
        await handler();
      } catch (error) {
        onError(error, work);
        throw new Error(`${work} failed`, { cause: error });
      }
    });
  const enqueue = async (name: Name, ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return;
    await within(queue.addBulk(ids.map((id) => ({ name, data: { id }, opts: options(name, id) }))));
  };
  /** Whether this node does it by itself; when it fails there, the queue has it. */
  const does = (name: Name, id: string): boolean => {
    const work = `${name}:${id}`;
    if (closing || !handlers || atHand === 0) return false;
    if (runs.again(work)) return true;
    if (runs.size >= atHand) return false;
    const handler = handlers[name];
    run(work, () => handler(id)).catch(() => {
      enqueue(name, [id]).catch((error: unknown) => {
        onError(error, work);
      });
    });
    return true;
  };
  /** A worker that closes may still take a job that came in that moment. */
  const handBack = async (job: Job, token?: string): Promise<never> => {
    await job.moveToWait(token);
    throw new WaitingError();
  };

  return {
    ask: async (name, ids) => {
      await enqueue(
        name,
        ids.filter((id) => !does(name, id)),
      );
    },
    askLater: async (name, id, seconds) => {
      await within(queue.add(name, { id }, options(name, id, Math.max(1, Math.ceil(seconds * 1000)))));
    },
    work: (given) => {
      handlers = given;
      const process = (job: Job<About, void, Name>, token?: string) =>
        closing ? handBack(job, token) : run(`${job.name}:${job.data.id}`, () => given[job.name](job.data.id));
      const worker = new Worker<About, void, Name>(topic, process, {
        connection,
        concurrency,
        ...timing,
        settings: { backoffStrategy },
      });
      worker.on('error', onError);
      workers.push(worker);
    },
    depth: () => within(queue.getWaitingCount()),
    close: async () => {
      closing = true;
      const closed = Promise.all(workers.map((worker) => worker.close()));
      await runs.settled();
      // BullMQ would wait for a storage that is away until it is back; the queue's own connection is the storage's to close.
      await within(closed).catch(onError);
      await within(backend.close()).catch(onError);
    },
  };
};
