import { basename } from 'node:path';
import { expect, it } from 'vitest';

import { settings } from '../../src/adapters/wiring/settings/config.ts';
import { agrees, limitsOf, serverFiles, specification } from '../support/specification.ts';
import { textOf } from './source.ts';

const limits = specification.flatMap((page) => limitsOf(textOf(page)));
const sources = limits.map(({ source }) => source);

it.each(specification)('each limit of %s has the value of the code', (page) => {
  expect(limitsOf(textOf(page)).filter((limit) => !agrees(limit))).toEqual([]);
});

it('no limit is listed twice', () => {
  expect(sources.filter((source, at) => sources.indexOf(source) !== at)).toEqual([]);
});

it.each(specification.filter((page) => !page.endsWith('decisions.md')))('%s has its numbers in the table of limits', (page) => {
  const prose = textOf(page).replaceAll(/^\|.*$/gm, '');
  expect(prose.match(/\b\d[\d,]* (?:KiB|MiB|bytes|characters|seconds|minutes|hours|days|s|min|h|%)(?!\w)/g)).toBeNull();
});

/** Constants with the name of a limit that nobody meets, by what they are for. */
const UNSEEN: Readonly<Record<string, readonly string[]>> = {
  'how much work is done at once': [
    'delivery-batch.ts: MAX_DELIVERIES',
    'due.ts: MAX_BODY_BYTES',
    'due.ts: MAX_LIMIT',
    'gather-refusals.ts: MAX_ROWS',
    'gathering.ts: MAX_PAIRS',
    'import-products.ts: MAX_BYTES',
    'import-products.ts: MAX_ITEMS',
    'import-file.ts: MAX_KEPT_BYTES',
    'live-store.ts: MAX_BATCH',
    'pair-variants.ts: MAX_NAME_SETS',
    'product-exporter.ts: MAX_PAGE_VARIANTS',
    'settlement-lanes.ts: MAX_BATCH',
    'sweep-incidents.ts: MAX_SIGNALS',
    'record-import.ts: MAX_GIVEN_UP',
    'tell-incidents.ts: MAX_NOTICES',
  ],
  'what a node keeps in memory': [
    'failure-limit.ts: MAX_REFUSALS',
    'gather-counts.ts: MAX_ENTRIES',
    'gather-refusals.ts: MAX_GROUPS',
    'host.ts: MAX_PEERS',
    'identity-provider.ts: MAX_ANSWER_BYTES',
    'pattern-matcher.ts: MAX_COMPILED',
    'receiver-connection.ts: MAX_KEEP_ALIVE_MS',
    'webhook-sender.ts: MAX_IDLE_CONNECTIONS',
  ],
  'how far a statement looks before it begins again': [
    'delivery-search.ts: MAX_SCAN',
    'finder.ts: MAX_APPS',
    'gathering.ts: MAX_READ_BYTES',
    'newest-events.ts: LONGEST_BODY',
    'fan-out.ts: MAX_JUDGED_BYTES',
    'newest-events.ts: MAX_SCAN',
  ],
  'messages between nodes, and the queue': [
    'live-channel.ts: MAX_MESSAGES',
    'live-channel.ts: MAX_WAITING',
    'node-messages.ts: MAX_MESSAGE_BYTES',
    'node-messages.ts: MAX_UNANSWERED',
    'backend.ts: MAX_BLOCK_SECONDS',
  ],
  'what a message repeats of the input': [
    'import-record.ts: MAX_KEPT_ERRORS',
    'import-record.ts: MAX_KEPT_MESSAGE',
    'incident-message.ts: MAX_LINES',
    'fields.ts: MAX_SHOWN',
    'fault-list.ts: MAX_FIELD_LENGTH',
    'ndjson.ts: MAX_KEPT',
    'note-texts.ts: MAX_NAME',
    'judge.ts: MAX_KEY_LENGTH',
    'import-report.ts: MAX_SHOWN',
    'shopify-cells.ts: MAX_NUMBER',
    'forget-key.ts: MAX_NAMED',
    'removals.ts: MAX_NAME',
    'removals.ts: MAX_NAMED',
    'rows-apart.ts: MAX_LINES',
    'ignored-members.ts: MAX_SHOWN_NAME',
    'inventory.ts: MAX_NAMED',
  ],
  'what follows from another limit or a format': [
    'exact-number.ts: MAX_DIGITS',
    'feed-cursor.ts: MAX_LENGTH',
    'page.ts: MAX_SKIP',
    'product-reader.ts: DEFAULT_SEARCH_TIMEOUT_MS',
    'retry-after.ts: MAX_DIGITS',
    'slug.ts: MAX_SUFFIX_LENGTH',
    'postgres.ts: LONGEST',
  ],
  'tries of the server and of the command line': [
    'attempt.ts: MAX_BODY_BYTES',
    'csv-records.ts: MIN_ATTEMPTS',
    'replacement.ts: LONGEST_WAIT_MS',
    'run-idempotently.ts: MAX_ATTEMPTS',
    'write-by-store.ts: MAX_FAILED_STORES',
  ],
};

const declaredIn = (file: string): string[] =>
  [...textOf(file).matchAll(/^(?:export )?const ((?:MAX|MIN|DEFAULT|LONGEST)(?:_[A-Z0-9]+)*)\b/gm)].map(
    ([, name = '']) => `${basename(file)}: ${name}`,
  );

it('a page has every constant that is a limit, unless nobody meets it', () => {
  const declared = [...new Set(serverFiles.flatMap(declaredIn))].toSorted();
  const unseen = Object.values(UNSEEN).flat();
  expect(declared.filter((name) => !sources.includes(name))).toEqual(unseen.toSorted());
});

it('a page has every setting that is a limit', () => {
  const isLimit = (name: string): boolean => /MAX|LIMIT|TTL|TIMEOUT|FAILURES|_DAYS$|_SECONDS$/.test(name);
  expect(Object.keys(settings).filter((name) => isLimit(name) && !sources.includes(name))).toEqual([]);
});

it.each([
  ['a wrong number', { value: '51', source: 'subscription.ts: MAX_SUBSCRIPTIONS' }],
  ['a wrong unit', { value: '20 KiB', source: 'image.ts: MAX_IMAGE_BYTES' }],
  ['a unit that is not one', { value: '20 MB', source: 'image.ts: MAX_IMAGE_BYTES' }],
  ['a wrong default', { value: '8 days', source: 'REQUEST_LOG_DAYS' }],
  ['a wrong part of a list', { value: '0 s, 5 s', source: 'WEBHOOK_RETRY_SECONDS' }],
  ['a wrong value of a schema', { value: '254', source: 'openapi: ProductChange.name.maxLength' }],
  ['a constant that is not there', { value: '50', source: 'subscription.ts: MAX_NOTHING' }],
  ['a file that is not there', { value: '50', source: 'nothing.ts: MAX_SUBSCRIPTIONS' }],
  ['a setting that is not there', { value: '50', source: 'NOTHING' }],
  ['a schema that is not there', { value: '255', source: 'openapi: Nothing.name.maxLength' }],
])('%s does not agree', (_what, limit) => {
  expect(agrees(limit)).toBe(false);
});
