import type { RefusalCode } from '../../result.ts';
import type { Check } from '../refused-request.ts';
import type { Words } from './words.ts';

/** By the check and its code, where a code alone says too little. */
export const CHECK_REASONS: Readonly<Partial<Record<`${Check} ${RefusalCode}`, Words>>> = {
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
