import { request, type ClientRequest, type IncomingMessage } from 'node:http';

import { ok, refuse, type Result } from '../../../domain/result.ts';
import { openDeadline } from '../../startup/deadline.ts';

/** The largest part of a response that is returned, in bytes. */
const MAX_TRIAL_BYTES = 1_048_576;

interface TrialRequest {
  readonly domain: string;
  readonly method: string;
  /** With its query. Its caller checked that it is of the app API. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A token is left out: the line may be kept or shared. */
const header = (name: string, value: string): string =>
  name === 'authorization' && /^bearer /i.test(value)
    ? '-H "Authorization: Bearer $TOKEN"'
    : `-H ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`;

export const curlLine = (origin: string, { domain, method, path, headers, body }: TrialRequest): string =>
  [
    // curl would take brackets and braces for patterns.
    `curl -sS -g -X ${method}`,
    `-H ${shellQuoted(`Host: ${domain}`)}`,
    ...Object.entries(headers).map(([name, value]) => header(name, value)),
    // Without a type of its own, curl would call the body a form.
    ...(body === null ? [] : [...('content-type' in headers ? [] : ["-H 'Content-Type:'"]), `--data-raw ${shellQuoted(body)}`]),
    shellQuoted(`${origin}${path}`),
  ].join(' ');

interface TrialResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isTruncated: boolean;
  readonly durationMs: number;
  readonly requestId: string | null;
  readonly curl: string;
}

/** The app API of this node, called as an app calls it: over the socket that its listener has. */
export interface OwnApi {
  /**
   * Sends the request to this node's listener, and to nothing else. Refuses when no response came
   * within the time, or when `left` was aborted.
   */
  send(trial: TrialRequest, left: AbortSignal): Promise<Result<TrialResponse, 'unavailable'>>;
}

/** Longer than a request waits for the feed. */
export const TRIAL_MS = 30_000;

/** A listener on every address is reached over the loopback. */
const reachable = (listenerUrl: string): URL => {
  const url = new URL(listenerUrl);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url;
};

interface Read {
  readonly body: string;
  readonly isTruncated: boolean;
}

/** The first MiB as text. A character that the cut split is left out. */
const read = async (response: IncomingMessage): Promise<Read> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_TRIAL_BYTES) break;
  }
  const isTruncated = size > MAX_TRIAL_BYTES;
  const bytes = Buffer.concat(chunks).subarray(0, MAX_TRIAL_BYTES);
  return { body: new TextDecoder().decode(bytes, { stream: isTruncated }), isTruncated };
};

const responseTo = (sent: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => void sent.once('response', resolve).once('error', reject));

const headersOf = ({ headersDistinct }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]));

/** `listenerUrl` is http://host:port of this node's app listener. */
export const createOwnApi = (listenerUrl: string, { timeoutMs = TRIAL_MS } = {}): OwnApi => {
  const { origin, hostname, port } = reachable(listenerUrl);
  const exchange = async (trial: TrialRequest, signal: AbortSignal): Promise<TrialResponse> => {
    const { domain, method, path, headers, body } = trial;
    const bytes = body === null ? null : Buffer.from(body);
    const length = bytes && { 'content-length': bytes.length };
    const started = performance.now();
    // Without an agent the connection ends with the request, so that nothing of one trial reaches another.
    const sent = request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path,
      headers: { host: domain, ...headers, ...length, connection: 'close' },
      agent: false,
      signal,
    });
    sent.end(bytes ?? undefined);
    const response = await responseTo(sent);
    const answered = await read(response);
    return {
      status: response.statusCode ?? 0,
      headers: headersOf(response),
      ...answered,
      durationMs: Math.round((performance.now() - started) * 100) / 100,
      requestId: response.headersDistinct['x-request-id']?.[0] ?? null,
      curl: curlLine(origin, trial),
    };
  };
  return {
    send: async (trial, left) => {
      const { signal, release } = openDeadline(timeoutMs, left);
      try {
        return ok(await exchange(trial, signal));
      } catch (error) {
        if (!(error instanceof Error) || !('code' in error)) throw error;
        return refuse(
          'unavailable',
          signal.aborted && !left.aborted
            ? `The app API did not answer within ${timeoutMs / 1_000} seconds.`
            : 'The app API of this node closed the connection. It may have too many connections.',
        );
      } finally {
        release();
      }
    },
  };
};
