import type { RefusalCode } from '../../result.ts';
import type { Check } from '../refused-request.ts';
import { NOTED_REASONS } from './noted-reasons.ts';
import type { Words } from './words.ts';

/** By the check and its code, where a code alone says too little. */
const CHECK_REASONS: Readonly<Partial<Record<`${Check} ${RefusalCode}`, Words>>> = {
  'store invalid': {
    name: 'Host header',
    why: 'The request did not have exactly one Host header.',
    help: 'Send one. Most clients do so by themselves; a proxy may have added a second one.',
  },
  'work rate_limited': {
    name: 'Too many waiting polls',
    why: 'The app has as many waiting requests to GET /apps/events as it may have.',
    help: 'Let one process of the app read the feed, and end a request before you send the next.',
  },
  'key invalid': {
    name: 'No usable Idempotency-Key',
    why: 'The route needs exactly one Idempotency-Key header of 1 to 255 printable ASCII characters.',
    help: 'Make a key for each piece of work, for example a UUID, and keep it for the retries.',
  },
  'body invalid': {
    name: 'Body is not JSON',
    why: 'The body is not valid JSON in UTF-8.',
    help: 'Let a JSON library write the body. The response names the place of the fault.',
  },
  'schema invalid': {
    name: 'Invalid input',
    why: 'A field of the body or a parameter of the query does not fit the schema of the route.',
    help: 'The response names each field and its fault. Compare the request with the OpenAPI document, or compose it on the Try it page.',
  },
  'schema not_found': {
    name: 'No such id',
    why: 'The id in the path does not have the form of an id, so nothing can have it.',
    help: 'Check how the app builds the path.',
  },
  'work invalid': {
    name: 'Refused by a rule',
    why: 'The input has the right form, but a rule of the store does not allow it.',
    help: 'The response says which rule. The API guide explains each of them.',
  },
};

type OfTheServer = 'method_not_allowed' | 'request_timeout' | 'expectation_failed' | 'headers_too_large' | 'internal_error';

/** Words for each code. A code without its words does not compile. */
const CODE_REASONS: Readonly<Record<RefusalCode | OfTheServer, Words>> = {
  invalid: {
    name: 'Invalid input',
    why: 'The server could not use something in the request.',
    help: 'The response names what is wrong.',
  },
  unauthenticated: {
    name: 'Not authenticated',
    why: 'The credentials were not accepted.',
    help: 'Get a new token at POST /apps/token.',
  },
  forbidden: {
    name: 'Not allowed',
    why: 'The app may not do this.',
    help: 'Compare the scopes of the app with those that the route needs.',
  },
  not_found: {
    name: 'Not found',
    why: 'Nothing has this id, or it belongs to another app or store.',
    help: 'Read the list again to get the present ids. What was deleted stays away.',
  },
  method_not_allowed: {
    name: 'Wrong method',
    why: 'The route does not take this method.',
    help: 'The header Allow of the response names those that it takes.',
  },
  rate_limited: {
    name: 'Rate limit reached',
    why: 'The app sent more requests than its limit allows. Token requests are counted by installation, by platform app and by address.',
    help: 'Wait the seconds in Retry-After. Spread the calls, or send up to 250 products in one bulk update. Keep a token for as long as expiresIn says.',
  },
  idempotency_in_progress: {
    name: 'Still running',
    why: 'A request with the same Idempotency-Key was still running.',
    help: 'Send it again after the seconds in Retry-After. Then you get the response of the first request.',
  },
  idempotency_key_reused: {
    name: 'Key of another request',
    why: 'The Idempotency-Key was used for a different request: the method, the path or a byte of the body differs.',
    help: 'Make a new key for each piece of work. Send a retry with exactly the bytes of the first request.',
  },
  idempotency_not_replayable: {
    name: 'Response not kept',
    why: 'The work of this Idempotency-Key is done. Its response was too large to keep.',
    help: 'Do not retry. Read what was written, for example with GET /apps/catalog/products. Smaller batches have responses that are kept.',
  },
  unsupported_media_type: {
    name: 'Wrong content type',
    why: 'The Content-Type is not one that the route takes, or the body was compressed.',
    help: 'Send “Content-Type: application/json” and a body without Content-Encoding.',
  },
  payload_too_large: {
    name: 'Body too large',
    why: 'The body has more bytes than the route takes.',
    help: 'Send it in smaller parts. BULK_MAX_BODY_BYTES sets the limit of bulk updates.',
  },
  cursor_expired: {
    name: 'Cursor has expired',
    why: 'The events behind the cursor are no longer kept, or the server has lost events in a failover or a restore.',
    help: 'Continue with the cursor in oldest, and read again what the app keeps of the store.',
  },
  conflict: {
    name: 'Conflict',
    why: 'The subscription is removed or deactivated, or may not receive the type of the event.',
    help: 'Subscribe again, then send the event again. The app also needs the scope of the type.',
  },
  precondition_failed: {
    name: 'Changed meanwhile',
    why: 'The resource does not have the ETag of If-Match: it was changed or deleted, or it does not exist.',
    help: 'Read the resource, and decide again. If the answer to an earlier attempt was lost, that attempt may have made the change.',
  },
  unavailable: {
    name: 'Unavailable for a moment',
    why: 'PostgreSQL, Redis or the media storage could not be reached, or a search took too long.',
    help: 'Send it again with the same Idempotency-Key after the seconds in Retry-After. If it lasts, look at GET /readyz and the log of the server.',
  },
  request_timeout: {
    name: 'Sent too slowly',
    why: 'The request did not arrive in time.',
    help: 'Send it again with the same Idempotency-Key. If it happens often, look at the connection of the app.',
  },
  expectation_failed: {
    name: 'Unknown expectation',
    why: 'The header Expect asked for something that the server does not do.',
    help: 'Send “Expect: 100-continue”, or no Expect.',
  },
  headers_too_large: {
    name: 'Headers too large',
    why: 'The headers of the request have more than 16 KB.',
    help: 'Send fewer or shorter headers. A proxy or a library may add some.',
  },
  internal_error: {
    name: 'Error in Tenon',
    why: 'The server failed. This should not happen.',
    help: 'Find the cause in the log of the server by the id of this request. A retry with the same Idempotency-Key is safe.',
  },
};

const KNOWN: Readonly<Record<string, Words | undefined>> = { ...CODE_REASONS, ...CHECK_REASONS, ...NOTED_REASONS };

const NEEDS = /^needs (\w+)$/;

interface Refused {
  readonly check: string;
  readonly reason: string;
  readonly code: string | null;
  /** The host, where the log knows that no store has it. */
  readonly host?: string | null;
}

/** The scope that the app lacked; null for every other refusal. */
export const missingScope = ({ reason }: Pick<Refused, 'reason'>): string | null => NEEDS.exec(reason)?.[1] ?? null;

const needs = (scope: string): Words => ({
  name: `Needs ${scope}`,
  why: `The route needs the scope ${scope}, which the app did not have.`,
  help: 'Grant the scope on the page of the app, or with tenon app update --scopes. It counts from the next request, without a new token.',
});

const noStore = (host: string): Words => ({
  name: 'No such store',
  why: `No store has the domain ${host}, so no credentials are valid there.`,
  help: 'Check the address that the app calls. The Stores page and tenon store list show the domains.',
});

const knownAt = (check: string, name: string): Words | undefined => KNOWN[`${check} ${name}`] ?? KNOWN[name];

const unknown = (name: string): Words => ({
  name,
  why: `The server answered with the code ${name}.`,
  help: 'The response of the request says more. Find it in the log of the app by the id of this request.',
});

export const whyRefused = (refused: Refused): Words => {
  const { reason, code, check, host } = refused;
  const scope = missingScope(refused);
  if (scope !== null) return needs(scope);
  if (host && check === 'token') return noStore(host);
  const name = code ?? reason;
  return knownAt(check, reason) ?? knownAt(check, name) ?? unknown(name);
};
