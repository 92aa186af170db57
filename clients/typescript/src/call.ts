/** What every call takes. */
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

/** Separates what every call takes from what this call is about. */
export const split = <T extends CallOptions>({ signal, timeout, maxAttempts, headers, ...about }: T) => ({
  options: { signal, timeout, maxAttempts, headers } satisfies CallOptions,
  about,
});

/** A value of the query; a list repeats its parameter, and undefined leaves it out. */
export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** A method of the app API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request as the resources make it. */
export interface Call extends CallOptions {
  readonly method: Method;
  readonly path: string;
  readonly query?: Query;
  /** Sent as JSON; a form as a form. */
  readonly body?: unknown;
  /** The response is one JSON value a line. */
  readonly isLines?: boolean;
  /** Milliseconds beyond the usual time limit. */
  readonly patience?: number;
}

/** The last response to a request, read whole. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
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
export const segment = (id: string): string => {
  if (/^\.{0,2}$/.test(id)) throw new TypeError(`${JSON.stringify(id)} is not an id`);
  return encodeURIComponent(id);
};

/** The path of the call, with its query. */
export const pathWithQuery = ({ path, query = {} }: Call): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of value === undefined ? [] : [value].flat()) parameters.append(name, String(one));
  }
  return parameters.size > 0 ? `${path}?${parameters.toString()}` : path;
};
