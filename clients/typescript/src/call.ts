/** Options of every call. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long an attempt may take, in milliseconds, in place of the client's `timeout`. */
  readonly timeout?: number | undefined;
  /** How many times the request is sent at most, in place of the client's `maxAttempts`. */
  readonly maxAttempts?: number | undefined;
  /** Sent beside the client's own headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Names an operation, so that it is done once however often its request is sent. */
export interface KeyOptions extends CallOptions {
  /** 1 to 250 printable ASCII characters, derived from the operation and not from the attempt: `tidy/2026-11-22`. */
  readonly key: string;
}

/** A value of the query; a list repeats its parameter, and null or undefined leaves it out. */
export type Query = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

/** A method of the app API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Further options of a call. */
export interface Details extends CallOptions {
  readonly query?: Query | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The `Idempotency-Key`. */
  readonly key?: string | undefined;
  /** The `If-None-Match`. */
  readonly etag?: string | undefined;
  /** The `If-Match`. */
  readonly ifMatch?: string | undefined;
  /** Milliseconds beyond the usual time limit. */
  readonly patience?: number | undefined;
  /** Reads the text of a success; JSON by default. Throws where the text has ended early. */
  readonly parse?: ((text: string) => unknown) | undefined;
}

/** A request as the transport sends it. */
export interface Call extends Details {
  readonly method: Method;
  readonly path: string;
  /** The text of the body, where it is not JSON. */
  readonly form?: string;
  /** The longest wait before the next attempt, in milliseconds, in place of the client's `maxWait`. */
  readonly maxWait?: number;
}

/** The last response to a request, read whole; without one, the status is null. */
export interface Reply {
  readonly status: number | null;
  readonly headers: Headers;
  readonly text: string;
  /** Why there is no response: what the connection failed with, or a `TenonError` where it took too long. */
  readonly cause?: unknown;
}

/** A successful response. */
export interface Result<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** Sends a call with its token, again where that is safe. Rejects with a `TenonError`. */
export type Send = <T>(call: Call) => Promise<Result<T>>;

/** An id as a part of a path. Empty, `.` and `..` would make another path. */
const segment = (id: string): string => {
  if (/^\.{0,2}$/.test(id)) throw new TypeError(`"${id}" is not an id`);
  return encodeURIComponent(id);
};

/** A path: where it begins, and the ids and words behind that. */
export type Path = readonly [root: string, ...ids: string[]];

/** The text of the path. */
export const pathOf = ([root, ...ids]: Path): string => [root, ...ids.map(segment)].join('/');

/** The address of the call at this store, with its query. */
export const urlOf = (store: string, { path, query = {} }: Call): string => {
  const url = new URL(store + path);
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one));
  }
  return url.href;
};
