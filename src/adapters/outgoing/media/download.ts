import { STATUS_CODES } from 'node:http';
import { Client, type Dispatcher } from 'undici';

import type { AttemptError } from '../../../domain/webhooks/delivery.ts';
import { MAX_IMAGE_BYTES } from '../../../domain/media/image.ts';
import { parseTarget, type Target } from '../../../domain/webhooks/webhook-url.ts';
import { AttemptFault, attemptErrorOf } from '../guard/attempt-fault.ts';
import { connectBy, portOf, type Dialler } from '../guard/dialler.ts';
import { decoded, IMAGE_TOO_LARGE } from './content-encoding.ts';
import { ImageRefusal } from './image-refusal.ts';
import { retryAfterSeconds } from '../guard/retry-after.ts';
import { badPortOf, parseUrl } from '../../../domain/values/url.ts';
import { codeOf } from '../../../domain/values/error.ts';

/** docs/specification/media.md, "Images". */
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const HEADERS = {
  'user-agent': 'Tenon-Media',
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif',
  'accept-encoding': 'identity',
};

const REFUSALS: Readonly<Record<AttemptError, string>> = {
  name_not_resolved: 'The host name does not resolve.',
  name_lookups_busy: 'Too many other host names of the app waited for their name servers.',
  address_not_allowed: 'The address is private, or plain http.',
  connection_failed: 'The host could not be reached.',
  connect_timeout: 'The host did not accept the connection in time.',
  tls_failed: 'The connection is not secure. TLS 1.2 or later and a valid certificate are required.',
  certificate_expired: 'The certificate of the host has expired.',
  certificate_not_yet_valid: 'The certificate of the host is not valid yet.',
  certificate_of_another_name: 'The certificate of the host is for another name.',
  certificate_untrusted: 'The certificate of the host is from an unknown authority, or its chain is not complete.',
  timeout: 'The host sent nothing for too long.',
  connection_closed: 'The connection ended before the image did.',
  invalid_response: 'The response is not valid HTTP/1.1.',
  proxy_failed: 'The host could not be reached through the proxy.',
};

/** Any other error is wrong with the address or its host, and stays so. */
const MAY_PASS: ReadonlySet<AttemptError> = new Set([
  'name_not_resolved',
  'name_lookups_busy',
  'connection_failed',
  'connect_timeout',
  'timeout',
  'connection_closed',
  'proxy_failed',
]);
const isPassingStatus = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500;

const faultOf = (reason: AttemptError) => {
  if (reason === 'address_not_allowed') return reason;
  return reason === 'timeout' || reason === 'connect_timeout' ? 'timeout' : 'fetch_failed';
};

const isIdle = (error: Error): boolean => ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'].includes(String(codeOf(error)));

const refusalOf = (error: unknown): unknown => {
  if (error instanceof ImageRefusal || !(error instanceof Error)) return error;
  const reason = isIdle(error) ? 'timeout' : attemptErrorOf(error);
  const passing = MAY_PASS.has(reason) ? { retryAfterSeconds: null } : undefined;
  return new ImageRefusal(faultOf(reason), REFUSALS[reason], { cause: error, passing });
};

export interface DownloadOptions {
  readonly dial: Dialler;
  readonly askedBy: string;
  /** The longest wait for a connection, for the head of a response, and for more of its body. */
  readonly idleMilliseconds: number;
}

const openClient = (url: URL, target: Target, options: DownloadOptions, signal: AbortSignal): Client => {
  const { dial, askedBy, idleMilliseconds } = options;
  const dialling = { target: { ...target, port: portOf(url) }, askedBy, signal, onAddress: () => undefined };
  return new Client(url.origin, {
    headersTimeout: idleMilliseconds,
    bodyTimeout: idleMilliseconds,
    connect: connectBy(() => dial({ ...dialling, until: performance.now() + idleMilliseconds })),
  });
};

const answered = (status: number): string => {
  const name = STATUS_CODES[status];
  return `The host answered ${String(status)}${name === undefined ? '' : ` (${name})`}.`;
};

/** The address that the response redirects to. Null when it is the image. */
const redirectOf = ({ statusCode, headers }: Dispatcher.ResponseData, from: URL): string | null => {
  if (statusCode >= 200 && statusCode < 300) return null;
  const { location, 'retry-after': retryAfter } = headers;
  if (!REDIRECTS.has(statusCode) || typeof location !== 'string') {
    const header = typeof retryAfter === 'string' ? retryAfter : null;
    const passing = isPassingStatus(statusCode) ? { retryAfterSeconds: retryAfterSeconds(header, Date.now()) } : undefined;
    throw new ImageRefusal('fetch_failed', answered(statusCode), { passing });
  }
  const to = parseUrl(location, from.href);
  if (!to) throw new ImageRefusal('fetch_failed', 'The host redirected to no address.');
  return to.href;
};

const judgeLength = ({ headers }: Dispatcher.ResponseData): void => {
  if (Number(headers['content-length']) > MAX_IMAGE_BYTES) throw new ImageRefusal('too_large', IMAGE_TOO_LARGE);
};

async function* visit(text: string, options: DownloadOptions, signal: AbortSignal): AsyncGenerator<Buffer, string | null> {
  signal.throwIfAborted();
  const target = parseTarget(text);
  if (!target.ok) throw new ImageRefusal('address_not_allowed', target.message);
  const url = new URL(text);
  // A redirect may name what a request for an import may not.
  if (badPortOf(url) !== null) throw new ImageRefusal('address_not_allowed', `The port ${url.port} belongs to another protocol.`);
  const client = openClient(url, target.value, options, signal);
  const end = () => void client.destroy(signal.reason as Error);
  signal.addEventListener('abort', end);
  try {
    const response = await client.request({ method: 'GET', path: url.pathname + url.search, headers: HEADERS, reset: true });
    // The connection breaks when the body is not read to its end.
    response.body.on('error', () => undefined);
    const redirect = redirectOf(response, url);
    if (redirect) return redirect;
    judgeLength(response);
    yield* decoded(response.body, [response.headers['content-encoding'] ?? []].flat().join(','));
    return null;
  } catch (error) {
    signal.throwIfAborted();
    throw refusalOf(error);
  } finally {
    signal.removeEventListener('abort', end);
    await client.destroy(new AttemptFault('connection_closed'));
  }
}

/**
 * The bytes of an image as they come. Every address of the URL's host is checked, and so are those
 * of each redirect. No cookie and no credential is sent, and no connection is used again. Throws an
 * ImageRefusal, or the signal's reason as soon as it is aborted.
 */
export async function* download(url: string, options: DownloadOptions, signal: AbortSignal): AsyncGenerator<Buffer> {
  let at: string | null = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    at = yield* visit(at, options, signal);
    if (!at) return;
  }
  throw new ImageRefusal('fetch_failed', `The host redirects more than ${MAX_REDIRECTS} times.`);
}
