import {
  pathOf,
  type CallOptions,
  type Details,
  type KeyOptions,
  type Method,
  type Path,
  type Result,
  type Send,
} from './call.ts';
import { createProgress } from './progress.ts';

/** The most that a page of any list has. */
export const TAKE = 250;

/** A page of a list that continues behind a cursor. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The `after` of the next page. Null when there is none. */
  readonly next: string | null;
}

/** How a list is read: everything beside the options of a call is a filter. No filter may have the name of a detail. */
type Listing = CallOptions & Readonly<Partial<Record<Exclude<keyof Details, keyof CallOptions>, never>>>;

/** True when an earlier request with the same key made the change. */
export interface Replayable {
  readonly replayed: boolean;
}

/** A part of the API, and the requests that all parts make alike. */
export abstract class Resource {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /** The response to a request. */
  protected async call<T>(method: Method, path: Path, details?: Details): Promise<Result<T>> {
    return this.#send<T>({ ...details, method, path: pathOf(path) });
  }

  /** The body of the response to a request. */
  protected async read<T>(method: Method, path: Path, details?: Details): Promise<T> {
    return (await this.call<T>(method, path, details)).body;
  }

  /** A page of a list. */
  protected readPage<P>(path: Path, options: Listing, after: string | undefined): Promise<P> {
    const { signal: _1, timeout: _2, maxAttempts: _3, headers: _4, ...filter } = options;
    return this.read('GET', path, { ...options, query: { take: TAKE, ...filter, after } });
  }

  /** The items of a list, page by page, from this cursor on. */
  protected async *pages<T>(path: Path, options: Listing, first?: string): AsyncGenerator<T, void> {
    const passes = createProgress(pathOf(path), first);
    for (let after: string | null | undefined = first; after !== null;) {
      const page: Page<T> = await this.readPage(path, options, after);
      yield* page.items;
      // An older server would answer its first page again and again.
      if ((page.next as unknown) === undefined) throw new Error('The server is older than the client.');
      after = page.next;
      if (after !== null) passes(after);
    }
  }

  /** Sends chunks of changes with the keys `key/0`, `key/1` and further, and yields what became of each, in their order. */
  protected async *bulk<R>(
    path: Path,
    list: string,
    chunks: AsyncIterable<unknown>,
    { key, ...options }: KeyOptions,
  ): AsyncGenerator<R & Replayable, void> {
    let part = 0;
    for await (const chunk of chunks) {
      const details = { ...options, key: `${key}/${part++}`, body: { [list]: chunk } };
      const { body, headers } = await this.call<{ results: readonly R[] }>('POST', path, details);
      const replayed = headers.has('Idempotent-Replay');
      for (const result of body.results) yield { ...result, replayed };
    }
  }
}

/** The ETag of a response. */
export const etagOf = ({ headers }: Result<unknown>): string => headers.get('ETag') ?? '';
