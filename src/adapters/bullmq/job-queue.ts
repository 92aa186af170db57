import { WaitingError, withBackend, type Job, type JobsOptions } from 'bullmq';

import { QueueUnavailable } from '../../domain/ports/webhooks/delivery-queue.ts';
import { pause, withTimeout } from '../startup/deadline.ts';
import { type BackendAddress, type QueueBackend, type OnError, openPostgresBackend, openRedisBackend } from './backend.ts';
import { WorkSignal, type Handlers } from './work-signal.ts';
import type { Subject } from './work-task.ts';

/** The part of a BullMQ worker that the pause needs. */
interface PausableWorker {
  on(event: 'error', listener: (error: Error) => void): unknown;
  pause(doNotWaitActive: boolean): Promise<void>;
  resume(): Promise<void>;
}

const REST_MS = 1000;

/**
 * After an error the worker takes no job for a second. BullMQ does so itself after a lost
 * connection (`runRetryDelay`), but after any other error it asks for the next job at once: a
 * server that shuts down or starts would be asked without a pause. Jobs that run continue.
 */
const restAfterError = (worker: PausableWorker, onError: (error: unknown) => void): void => {
  let isResting = false;
  const rest = async (): Promise<void> => {
    await worker.pause(true);
    await pause(REST_MS, { isIdle: true });
    isResting = false;
    await worker.resume();
  };
  worker.on('error', () => {
    if (isResting) return;
    isResting = true;
    rest().catch(onError);
  });
};

export interface JobQueueOptions<Name extends string = string> {
  readonly topic: string;
  readonly backend: BackendAddress;
  readonly concurrency: number;
  /**
   * A node that works runs what is requested on it by itself and at once, without a hop through the
   * queue, while it runs fewer pieces of work than this. The queue has the rest: failed and delayed
   * work, and the requests of nodes that do not work. When a node dies, its own requests are lost,
   * and a sweep finds the work. The queue's times are those of the node that took or delayed a job,
   * whose clock may be wrong, so what a sweep requests should run without it. 0 by default.
   */
  readonly capacity?: number;
  readonly minIntervalMs?: Readonly<Partial<Record<Name, number>>> | undefined;
  readonly onError: OnError;
}

/**
 * Coarse work: a name and what it is about. The same work requested many times is one job;
 * requested while it runs, one more follows.
 */
interface JobQueue<Name extends string> {
  request(name: Name, subjects: readonly Subject[]): Promise<void>;
  /** After this many seconds. A later call for the same work replaces the time. */
  requestLater(name: Name, subject: Subject, seconds: number): Promise<void>;
  work(handlers: Handlers<Name>): void;
  depth(): Promise<number>;
  /** Rejects with QueueUnavailable unless the queue takes a write. */
  checkWrites(): Promise<void>;
  close(): Promise<void>;
}

/** Jobs leave nothing behind, and no job is given up. */
const FOREVER: JobsOptions = {
  attempts: 2 ** 31 - 1,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 0,
};

/** 0.25 s, 0.5 s, 1 s, ... 5 s. New requests for the same work wait for the retry too. */
const backoffStrategy = (attemptsMade: number): number => Math.min(250 * 2 ** (attemptsMade - 1), 5000);

/**
 * The job of a node that died runs elsewhere once its lock has ended and a check found it: 4 to 7 s
 * after a kill -9, as measured on both storages.
 */
const TIMING = { lockDuration: 6000, stalledInterval: 1500, maxStalledCount: 2 ** 31 - 1, runRetryDelay: 1000, drainDelay: 5 };

const openBackend = (address: BackendAddress, onError: OnError): Promise<QueueBackend> | QueueBackend =>
  'redisUrl' in address ? openRedisBackend(address.redisUrl) : openPostgresBackend(address.databaseUrl, onError);

/** The longest that a caller waits. The sweep finds the work of a request that failed. */
const ANSWER_MS = 2000;

const answered = async <T>(answer: Promise<T>): Promise<T> => {
  const late = (): T => {
    throw new Error(`The queue did not answer within ${ANSWER_MS} ms`);
  };
  try {
    return await withTimeout(ANSWER_MS, answer, late);
  } catch (error) {
    throw new QueueUnavailable(error);
  }
};

/** Deduplicated across nodes: a request joins the job that waits, or follows the one that runs. */
const jobOptions = (name: string, id: string, delay?: number): JobsOptions => ({
  ...FOREVER,
  ...(delay !== undefined && { delay }),
  deduplication: { id: `${name}:${id}`, keepLastIfActive: true, ...(delay !== undefined && { reschedule: true }) },
});

export const openJobQueue = async <Name extends string>({
  topic,
  backend: address,
  concurrency,
  capacity = 0,
  minIntervalMs,
  onError,
}: JobQueueOptions<Name>): Promise<JobQueue<Name>> => {
  const onLost = (error: unknown): void => onError(new QueueUnavailable(error));
  const backend = await openBackend(address, onLost);
  const connection = {};
  const { Queue, Worker } = withBackend(backend.factory);
  const queue = new Queue<Subject>(topic, { connection, streams: { events: { maxLen: 100 } } });
  queue.on('error', onLost);
  const workers: { close(): Promise<void> }[] = [];
  let closing = false;

  const nudge = async (name: Name, subjects: readonly Subject[]): Promise<void> => {
    await answered(queue.addBulk(subjects.map((subject) => ({ name, data: subject, opts: jobOptions(name, subject.id) }))));
  };
  const signal = new WorkSignal<Name>({ nudge, capacity, minIntervalMs, onError });

  /** A worker that closes may still take a job that came in at that moment. */
  const requeue = async (job: Job, token?: string): Promise<never> => {
    await job.moveToWait(token);
    throw new WaitingError();
  };

  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closing = true;
    const ended = Promise.all(workers.map((worker) => worker.close()));
    await signal.close();
    // BullMQ would wait for a storage that is away until it is back. The backend closes the queue's own connection.
    await answered(ended).catch(onError);
    await answered(backend.close()).catch(onError);
  };
  return {
    request: (name, subjects) => signal.request(name, subjects),
    requestLater: async (name, subject, seconds) => {
      await answered(queue.add(name, subject, jobOptions(name, subject.id, Math.max(1, Math.ceil(seconds * 1000)))));
    },
    work: (handlers) => {
      signal.work(handlers);
      const process = (job: Job<Subject, void, Name>, token?: string) =>
        closing ? requeue(job, token) : signal.run(job.name, job.data);
      const settings = { connection, concurrency, ...TIMING, settings: { backoffStrategy } };
      const worker = new Worker<Subject, void, Name>(topic, process, settings);
      worker.on('error', onLost);
      restAfterError(worker, onLost);
      workers.push(worker);
    },
    depth: () => answered(queue.getWaitingCount()),
    checkWrites: () => answered(backend.checkWrites()),
    // The worker closes it, and so does the container, which may have no worker.
    close: () => (closed ??= close()),
  };
};
