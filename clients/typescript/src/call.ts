/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A value of the query; a list repeats its parameter, and undefined leaves it out. */
export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** A request as the resources make it. */
export interface Call extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
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

/** The path of the call, with its query. */
export const pathWithQuery = ({ path, query = {} }: Call): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of value === undefined ? [] : [value].flat()) parameters.append(name, String(one));
  }
  return parameters.size > 0 ? `${path}?${parameters.toString()}` : path;
};
