import type { OnError } from './backend.ts';
import { taskKey, type Job, type Subject, type Task } from './work-task.ts';

export type Handlers<Name extends string> = Readonly<Record<Name, (subject: Subject) => Promise<void>>>;

export interface WorkSignalOptions<Name extends string> {
  readonly nudge: (name: Name, subjects: readonly Subject[]) => Promise<void>;
  /** This node takes a request without the queue while it runs fewer pieces of work than this. */
  readonly capacity: number;
  /** The least time from one start to the next of the same work. 0 by default. */
  readonly minIntervalMs?: Readonly<Partial<Record<Name, number>>> | undefined;
  readonly onError: OnError;
}

/**
 * Route of requested work: this node runs it, or nudges the other nodes through the queue. Requests
 * for the same work are coalesced. It never runs twice at once on this node, a request while it
 * runs or rests starts it once again afterwards, and its starts are at least its interval apart.
 */
export class WorkSignal<Name extends string> {
  readonly #tasks = new Map<string, Task<Name>>();
  #handlers: Handlers<Name> | null = null;
  #running = 0;
  #closing = false;

  constructor(private readonly options: WorkSignalOptions<Name>) {}

  /** From now on this node runs work. */
  work(handlers: Handlers<Name>): void {
    this.#handlers = handlers;
  }

  /**
   * Resolves when the work is noted here or is in the queue. Rejects when the queue cannot be
   * reached.
   */
  async request(name: Name, subjects: readonly Subject[]): Promise<void> {
    const others = subjects.filter((subject) => !this.#accepts(name, subject));
    if (others.length > 0) await this.options.nudge(name, others);
  }

  /**
   * Runs a job that this node took from the queue. Resolves or rejects with the first run that
   * begins after the call.
   */
  run(name: Name, subject: Subject): Promise<void> {
    return new Promise((resolve, reject) => {
      const known = this.#tasks.get(taskKey(name, subject.id));
      const task = known ?? this.#add(name, subject);
      task.jobs.push({ resolve, reject });
      task.isRequested = true;
      if (!known) this.#start(task);
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const task of this.#tasks.values()) if (task.rest) this.#next(task);
    while (this.#tasks.size > 0) await Promise.all([...this.#tasks.values()].flatMap(({ run }) => run ?? []));
  }

  /** Returns true when the request needs no nudge: the work runs here, or it is noted for its next start. */
  #accepts(name: Name, subject: Subject): boolean {
    const known = this.#tasks.get(taskKey(name, subject.id));
    if (known) {
      known.isRequested = true;
      return true;
    }
    const isHere = this.#hasCapacity();
    if (isHere) this.#start(this.#add(name, subject));
    else if (this.#intervalOf(name) > 0) this.#rest(this.#add(name, subject), performance.now());
    return isHere;
  }

  #add(name: Name, subject: Subject): Task<Name> {
    const task: Task<Name> = { key: taskKey(name, subject.id), name, subject, isRequested: false, jobs: [] };
    this.#tasks.set(task.key, task);
    return task;
  }

  #hasCapacity(): boolean {
    return this.#handlers !== null && !this.#closing && this.#running < this.options.capacity;
  }

  #intervalOf(name: Name): number {
    return this.options.minIntervalMs?.[name] ?? 0;
  }

  #start(task: Task<Name>): void {
    task.isRequested = false;
    const jobs = task.jobs.splice(0);
    const startedAt = performance.now();
    const isHere = jobs.length > 0 || this.#hasCapacity();
    const running = isHere ? this.#perform(task, jobs) : this.#nudge(task);
    task.run = running.then(() => {
      this.#rest(task, startedAt);
    });
  }

  /**
   * The queue tries a job again that fails. It also gets the work that fails here without a job.
   */
  async #perform(task: Task<Name>, jobs: readonly Job[]): Promise<void> {
    this.#running += 1;
    try {
      await this.#handlers?.[task.name](task.subject);
      for (const { resolve } of jobs) resolve();
    } catch (error) {
      this.options.onError(error, task.key);
      for (const { reject } of jobs) reject(new Error(`${task.key} failed`, { cause: error }));
      if (jobs.length === 0) await this.#nudge(task);
    } finally {
      this.#running -= 1;
    }
  }

  async #nudge({ key, name, subject }: Task<Name>): Promise<void> {
    try {
      await this.options.nudge(name, [subject]);
    } catch (error) {
      this.options.onError(error, key);
    }
  }

  #rest(task: Task<Name>, startedAt: number): void {
    const milliseconds = this.#closing ? 0 : this.#intervalOf(task.name) - (performance.now() - startedAt);
    if (milliseconds > 0) task.rest = setTimeout(() => this.#next(task), milliseconds).unref();
    else this.#next(task);
  }

  /**
   * In one step: a request between the look at `isRequested` and the removal would be noted and
   * never run.
   */
  #next(task: Task<Name>): void {
    clearTimeout(task.rest);
    delete task.rest;
    if (task.isRequested) this.#start(task);
    else this.#tasks.delete(task.key);
  }
}
