import { CLI_AGENT, VERSION } from '../../startup/version.ts';
import { reasonOf } from '../../startup/start-failure.ts';
import { CommandFailure, EXIT, type ExitStatus } from '../failure.ts';
import { plain } from '../output/style.ts';
import type { AdminConnection } from './connection.ts';

/** A list as a query parameter is repeated; undefined is left out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface SendOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Query | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: NonNullable<RequestInit['body']>;
  readonly signal?: AbortSignal | undefined;
}

export interface AdminApi {
  readonly url: string;
  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  delete<T>(path: string, query?: Query): Promise<T>;
  /** Any request, with the response as it comes. Throws as the others do unless it is 2xx. */
  send(path: string, options?: SendOptions): Promise<Response>;
}

/** The server answered with an error (RFC 9457). */
export class ApiFailure extends CommandFailure {
  constructor(
    message: string,
    readonly httpStatus: number,
    readonly code: string | null,
    status: ExitStatus,
    /** Continues after an expired cursor, where the server has lost events. */
    readonly continueWith: string | null = null,
  ) {
    super(message, status);
  }
}

interface Problem {
  readonly detail?: string;
  readonly title?: string;
  readonly code?: string;
  readonly reason?: string;
  readonly oldest?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

const STATUSES: Readonly<Record<number, ExitStatus>> = {
  400: EXIT.refused,
  401: EXIT.notPermitted,
  403: EXIT.notPermitted,
  404: EXIT.notFound,
  409: EXIT.refused,
  413: EXIT.refused,
  415: EXIT.refused,
  422: EXIT.refused,
};

/** The error of a response that is not 2xx: the server's sentence, the fields that are wrong, and the id for its log. */
const failureOf = async (response: Response, tokenOrigin: string): Promise<ApiFailure> => {
  let problem: Problem = {};
  try {
    problem = (await response.json()) as Problem;
  } catch {
    // An empty body, or that of a proxy. The status says what there is to say.
  }
  const id = response.headers.get('x-request-id');
  const hint = response.status === 401 ? ` It is from ${tokenOrigin}.` : '';
  // A line break in what the server says must not begin a line here.
  const other = response.status === 404 ? ' This is not the admin API, which has a port of its own: 4001 by default.' : '';
  const sentence = plain(problem.detail ?? problem.title ?? `The server answered ${String(response.status)}.${other}`);
  const fields = Object.entries(problem.errors ?? {})
    .map(([path, texts]) => plain(`${path}: ${texts.join(' ')}`))
    .filter((text) => text !== sentence)
    .map((text) => `\n  ${text}`);
  return new ApiFailure(
    `${sentence}${hint}${fields.join('')}${id === null ? '' : `\n  request ${plain(id)}`}`,
    response.status,
    problem.code ?? null,
    STATUSES[response.status] ?? EXIT.failed,
    problem.reason === 'history_changed' ? (problem.oldest ?? null) : null,
  );
};

const searchOf = (query: Query = {}): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [value]) {
      if (one !== undefined) search.append(name, String(one));
    }
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
};

/** The admin API of a connection. Every failure is a CommandFailure with the exit status of its kind. */
export const createAdminApi = ({ url, token, origin }: AdminConnection): AdminApi => {
  const send = async (path: string, { query, headers, signal, ...init }: SendOptions = {}): Promise<Response> => {
    let response: Response;
    try {
      response = await fetch(`${url}/admin${path}${searchOf(query)}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, 'user-agent': `${CLI_AGENT}${VERSION}`, ...headers },
        ...(signal && { signal }),
        // The token goes to the address that it was given for, and nowhere else.
        redirect: 'error',
        ...(init.body instanceof ReadableStream && { duplex: 'half' }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new CommandFailure(
        `The admin API at ${url} cannot be reached: ${reasonOf(error instanceof Error ? (error.cause ?? error) : error)}. Start a server with tenon start, or set TENON_ADMIN_URL.`,
        EXIT.unreachable,
      );
    }
    if (!response.ok) throw await failureOf(response, origin);
    return response;
  };
  const parsed = async <T>(response: Response): Promise<T> => {
    const text = await response.text();
    try {
      return (text === '' ? null : JSON.parse(text)) as T;
    } catch {
      throw new CommandFailure(`${url} is not an admin API: its response is not JSON.`, EXIT.unreachable);
    }
  };
  const sending =
    (method: 'POST' | 'PUT' | 'PATCH') =>
    async <T>(path: string, body: unknown = {}): Promise<T> =>
      parsed<T>(await send(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }));
  return {
    url,
    get: async <T>(path: string, query?: Query, signal?: AbortSignal) => parsed<T>(await send(path, { query, signal })),
    post: sending('POST'),
    put: sending('PUT'),
    patch: sending('PATCH'),
    delete: async <T>(path: string, query?: Query) => parsed<T>(await send(path, { method: 'DELETE', query })),
    send,
  };
};
