import { describe, expect, it } from 'vitest';

import { check, LIMITS } from '../campaigns/faults/checker/index.ts';
import type { EventRow, StockHistory } from '../campaigns/faults/history.ts';
import { FIRST_STOCK } from '../campaigns/faults/workload/shop.ts';
import {
  aDelivery,
  aHistory,
  aKey,
  aMedia,
  anAnswer,
  anAttempt,
  anEnd,
  anImport,
  anUpdate,
  aProduct,
  aSubscription,
  aWalk,
  broken,
  bulkBody,
  failedRows,
  importedRows,
  PRODUCT,
  STORE,
  theRows,
} from './histories.ts';

const UPDATE = anUpdate('k/0');
const DONE = { events: [UPDATE], products: [aProduct('k/0')] };
const lost = anAttempt({ answer: null });
const replay = anAttempt({ answer: anAnswer({ replay: true }) });

describe('the stock of a variant', () => {
  const booked = (status: string, errorCode: string | null = null): string =>
    JSON.stringify({ results: [{ id: 'variant', status, stock: [], error: null, errorCode }] });
  const adjusted = (by: number, body = booked('Updated'), key = `adjust ${by}`): StockHistory => ({
    installationId: 'app',
    storeId: STORE,
    key,
    adjustments: [{ sku: 'saw', by }],
    attempts: [lost, anAttempt({ answer: anAnswer({ body, replay: true }) })],
  });
  const stored = (available: number) => ({ stocks: [{ storeId: STORE, sku: 'saw', available }] });
  const negative = booked('Failed', 'would_be_negative');

  it('is what it was at first and the sum of the acknowledged adjustments', () => {
    const stocks = [adjusted(5), adjusted(-7), adjusted(-500, negative)];
    expect(broken({ stocks }, stored(FIRST_STOCK - 2))).toEqual([]);
  });
  it('that lacks one, has one twice, or has one that was refused is a violation', () => {
    const stocks = [adjusted(5), adjusted(-7), adjusted(-500, negative)];
    for (const wrong of [FIRST_STOCK + 5, FIRST_STOCK - 9, FIRST_STOCK - 502])
      expect(broken({ stocks }, stored(wrong))).toEqual(['stock differs']);
    expect(broken({ stocks })).toEqual(['stock differs']);
  });
  it('is not known while an adjustment has no answer: its key is stuck', () => {
    const stocks = [{ ...adjusted(5), attempts: [lost] }];
    for (const either of [FIRST_STOCK, FIRST_STOCK + 5]) expect(broken({ stocks }, stored(either))).toEqual(['key stuck']);
  });
  it('whose adjustment fails for another reason is a violation', () => {
    expect(broken({ stocks: [adjusted(5, booked('Failed', 'stale'))] }, stored(FIRST_STOCK))).toEqual(['not expected']);
    expect(broken({ stocks: [adjusted(5, '{}')] }, stored(FIRST_STOCK))).toEqual(['not expected']);
  });
});

describe('a key', () => {
  it('that is executed once and always answered with the same bytes passes, also if the first answer was lost', () => {
    expect(broken({ keys: [aKey({ attempts: [anAttempt(), replay] })] }, DONE)).toEqual([]);
    expect(broken({ keys: [aKey({ attempts: [lost, replay] })] }, DONE)).toEqual([]);
  });
  it('that is executed twice is found by two events, by two answers that are not replays, or by a first answer without a change', () => {
    const rows = { events: [UPDATE, anUpdate('x', 'k/0'), anUpdate('k/0', 'x', { id: 'again' })], products: [aProduct('k/0')] };
    expect(broken({ keys: [aKey()] }, rows)).toContain('executed twice');
    expect(broken({ keys: [aKey({ attempts: [anAttempt(), anAttempt()] })] }, DONE)).toEqual(['executed twice']);
    const unchanged = anAttempt({ answer: anAnswer({ body: bulkBody('Unchanged') }) });
    expect(broken({ keys: [aKey({ attempts: [lost, unchanged] })] }, DONE)).toEqual(['executed twice']);
  });
  it('that is answered with Updated but has no event, or with Failed but has one, is a violation', () => {
    expect(broken({ keys: [aKey()] })).toEqual(['not executed']);
    const failed = anAttempt({ answer: anAnswer({ body: bulkBody('Failed', 'a', 'slug_taken') }) });
    expect(broken({ keys: [aKey({ attempts: [failed] })] }, DONE)).toEqual(['not executed']);
    expect(broken({ keys: [aKey({ attempts: [failed] })] })).toEqual([]);
  });
  it('whose answer and event have different slugs is a violation', () => {
    const data = { id: PRODUCT, previous: { metaTitle: null, slug: 'a' }, current: { metaTitle: 'k/0', slug: 'b' } };
    const events = [anUpdate('k/0', null, { body: JSON.stringify({ data }) })];
    expect(broken({ keys: [aKey()] }, { ...DONE, events })).toEqual(['not executed']);
  });
  it('whose replay has other bytes, another status or another type is a violation', () => {
    for (const more of [{ body: `${bulkBody('Updated')} ` }, { contentType: 'text/plain' }, { status: 201 }]) {
      const other = anAttempt({ answer: anAnswer({ replay: true, ...more }) });
      expect(broken({ keys: [aKey({ attempts: [anAttempt(), other] })] }, DONE)).toEqual(['not the same bytes']);
    }
  });
  it('that gets no answer within the limit after the last recovery is stuck', () => {
    expect(broken({ keys: [aKey({ attempts: [lost] })] })).toEqual(['key stuck']);
    const late = anAttempt({ sentAt: 100, endedAt: 2_101 });
    expect(broken({ keys: [aKey({ attempts: [late] })] }, DONE)).toEqual(['key stuck']);
    const crash = { kind: 'crash', from: 90, until: 102 };
    expect(broken({ keys: [aKey({ attempts: [late] })], disturbances: [crash] }, DONE)).toEqual([]);
    expect(broken({ keys: [aKey({ attempts: [late] })], pauses: [crash] }, DONE)).toEqual([]);
    const before = { kind: 'crash', from: 10, until: 90 };
    expect(broken({ keys: [aKey({ attempts: [late] })], disturbances: [before] }, DONE)).toEqual(['key stuck']);
  });
  it('of an uninstalled app needs no answer, but is executed at most once', () => {
    const gone = anAttempt({ answer: anAnswer({ status: 401, body: '' }) });
    expect(broken({ keys: [aKey({ attempts: [lost, gone] })] }, DONE)).toEqual([]);
    expect(broken({ keys: [aKey({ attempts: [lost, gone] })] })).toEqual([]);
  });
  it('that is used with other bytes does not execute them and is refused', () => {
    const mark = { productId: PRODUCT, value: 'other' };
    const refused = anAttempt({ answer: anAnswer({ status: 422 }) });
    expect(broken({ keys: [aKey({ intruder: { mark, attempts: [refused] } })] }, DONE)).toEqual([]);
    expect(broken({ keys: [aKey({ intruder: { mark, attempts: [anAttempt()] } })] }, DONE)).toEqual(['not expected']);
    const rows = { events: [UPDATE, anUpdate('other', 'k/0')], products: [aProduct('other')] };
    expect(broken({ keys: [aKey({ intruder: { mark, attempts: [refused] } })] }, rows)).toEqual(['executed twice']);
  });
  it('whose process ended by SIGTERM without an answer is a violation; after a kill it is not', () => {
    const termination = { node: 1, from: 90, until: 120, code: 0 };
    const keys = [aKey({ attempts: [lost, replay] })];
    expect(broken({ keys, terminations: [termination] }, DONE)).toEqual(['answer lost by SIGTERM']);
    expect(broken({ keys, terminations: [{ ...termination, node: 2 }] }, DONE)).toEqual([]);
    expect(broken({ keys, terminations: [termination], disturbances: [{ kind: 'kill', from: 95, until: 105 }] }, DONE)).toEqual(
      [],
    );
  });
  it('that is answered 503 at first is a violation only where nothing was broken', () => {
    const failed = anAttempt({ answer: anAnswer({ status: 503, body: '{}' }) });
    const keys = [aKey({ attempts: [failed, anAttempt()] })];
    expect(broken({ keys }, DONE)).toEqual(['not expected']);
    expect(broken({ keys, disturbances: [{ kind: 'kill', from: 95, until: 105 }] }, DONE)).toEqual([]);
    expect(broken({ keys, pauses: [{ kind: 'move', from: 95, until: 105 }] }, DONE)).toEqual(['not expected']);
    expect(broken({ keys, terminations: [{ node: 2, from: 90, until: 120, code: 0 }] }, DONE)).toEqual([]);
  });
});

describe('the changes of a product', () => {
  it('form one chain to its current state', () => {
    const events = [anUpdate('two', 'one'), anUpdate('one')];
    expect(broken({}, { events, products: [aProduct('two')] })).toEqual([]);
  });
  it('have a gap if a change has no event', () => {
    expect(broken({}, { events: [anUpdate('one')], products: [aProduct('two')] })).toEqual(['event lost']);
    expect(broken({}, { events: [anUpdate('one'), anUpdate('three', 'two')], products: [aProduct('three')] })).toEqual([
      'event lost',
    ]);
  });
  it('fork if a change was made twice', () => {
    const events = [anUpdate('one'), anUpdate('two', 'one'), anUpdate('three', 'one')];
    expect(broken({}, { events, products: [aProduct('three')] })).toEqual(['executed twice']);
  });
});

describe('a delivery', () => {
  const keys = [aKey()];
  const subscriptions = [aSubscription()];
  const good = aDelivery(UPDATE);

  it('of a recorded event to an existing subscription passes, also twice', () => {
    expect(broken({ keys, subscriptions, deliveries: [good, good] }, DONE)).toEqual([]);
  });
  it('of an acknowledged write that never arrives is lost if the subscription existed before and still exists', () => {
    expect(broken({ keys, subscriptions }, DONE)).toEqual(['event lost']);
    expect(broken({ keys, subscriptions: [aSubscription({ createdAt: 105 })] }, DONE)).toEqual([]);
    expect(broken({ keys, subscriptions: [aSubscription({ removalSentAt: 200 })] }, DONE)).toEqual([]);
    expect(broken({ keys, subscriptions: [aSubscription({ eventTypes: ['order.paid'] })] }, DONE)).toEqual([]);
    expect(broken({ keys, subscriptions: [aSubscription({ storeId: 'other' })] }, DONE)).toEqual([]);
  });
  it('of an unrecorded event, with other bytes or with a bad signature is a violation', () => {
    for (const more of [{ eventId: 'rolled back' }, { body: 'other' }, { signed: false }]) {
      expect(broken({ subscriptions, deliveries: [{ ...good, ...more }] }, DONE)).toEqual(['event of nothing']);
    }
    expect(broken({ deliveries: [{ ...good, signed: null }] }, DONE)).toEqual([]);
  });
  it('that runs after the removal was answered is a violation', () => {
    expect(broken({ deliveries: [{ ...good, alive: true }] }, DONE)).toEqual(['delivered after removal']);
  });
});

describe('a write without a key', () => {
  const order = { storeId: STORE, kind: 'event' as const, ids: ['order'], type: 'order.paid' };
  const paid = anEnd({ id: 'order', type: 'order.paid', resourceId: null });
  const created = anEnd({ id: 'e', type: 'product.created', resourceId: 'order' });
  const accepted = anAttempt({ answer: anAnswer({ status: 202 }) });

  it('must be recorded if it was acknowledged, and may be recorded otherwise', () => {
    expect(broken({ writes: [{ ...order, attempts: [lost, accepted] }] }, { events: [paid] })).toEqual([]);
    expect(broken({ writes: [{ ...order, attempts: [accepted] }] })).toEqual(['event lost']);
    expect(broken({ writes: [{ ...order, attempts: [lost] }] })).toEqual([]);
  });
  it('must be delivered if it was acknowledged', () => {
    const history = { writes: [{ ...order, attempts: [accepted] }], subscriptions: [aSubscription()] };
    expect(broken(history, { events: [paid] })).toEqual(['event lost']);
    expect(broken({ ...history, deliveries: [aDelivery(paid)] }, { events: [paid] })).toEqual([]);
  });
  it('that SIGTERM stopped is acknowledged by the next answer', () => {
    const stopped = anAttempt({ answer: anAnswer({ body: '{"failed":1,"ended":"stopped","nextLine":3}' }) });
    const write = { ...order, kind: 'import' as const, type: 'product.created' };
    expect(broken({ writes: [{ ...write, attempts: [stopped] }] })).toEqual([]);
    expect(broken({ writes: [{ ...write, attempts: [stopped, accepted] }] })).toEqual(['event lost']);
  });
  it('creates each of its products once', () => {
    const writes = [{ ...order, kind: 'import' as const, type: 'product.created', attempts: [accepted] }];
    expect(broken({ writes }, { events: [created] })).toEqual([]);
    const again = { ...created, id: 'again' };
    expect(broken({ writes }, { events: [created, again] })).toEqual(['executed twice']);
    const deleted = { ...created, id: 'gone', type: 'product.deleted' };
    expect(broken({ writes }, { events: [created, deleted, again] })).toEqual([]);
  });
});

describe('a walk of the feed', () => {
  const [first, second, third] = [anUpdate('k/0'), anUpdate('k/1', 'k/0'), anUpdate('k/2', 'k/1')];
  const rows = { events: [first, second, third], products: [aProduct('k/2')] };
  const walked = (...pages: readonly (readonly EventRow[])[]) => broken({ walks: [aWalk(...pages)] }, rows);

  it('with every event once and in order passes, with any pages', () => {
    expect(walked([first, second, third])).toEqual([]);
    expect(walked([first], [], [second, third], [])).toEqual([]);
  });
  it('without an event is a violation', () => {
    expect(walked([first, second])).toEqual(['feed lost']);
    expect(walked()).toEqual(['feed lost']);
  });
  it('with an event twice is a violation', () => {
    expect(walked([first, second], [second, third])).toEqual(['feed twice']);
  });
  it('with the events of a resource in another order than that of their commits is a violation', () => {
    expect(walked([second, first, third])).toEqual(['feed out of order']);
  });
  it('with an event that was rolled back, or with other bytes, is a violation', () => {
    expect(walked([first, second, third, anUpdate('k/9', null, { id: 'rolled back' })])).toEqual(['feed shows too much']);
    expect(walked([first, second, { ...third, body: `${third.body} ` }])).toEqual(['feed shows too much']);
  });
  it("has what the app may see: since its installation, and nothing of another store or another app's imports", () => {
    const others = [
      anEnd({ id: 'before', createdAt: 9 }),
      anEnd({ id: 'elsewhere', storeId: 'other' }),
      anEnd({ id: 'theirs', origin: 'other app' }),
      anEnd({ id: 'uninstalled', type: 'app.uninstalled' }),
    ];
    const seen = {
      ...rows,
      events: [...rows.events, ...others, anEnd({ id: 'own', origin: 'app' })],
      installedAt: new Map([['app', 10]]),
    };
    expect(broken({ walks: [aWalk([first, second, third, anEnd({ id: 'own' })])] }, seen)).toEqual([]);
    for (const other of others) {
      const walks = [aWalk([first, second, third, anEnd({ id: 'own' }), other])];
      expect(broken({ walks }, seen)).toEqual(['feed shows too much']);
    }
  });
  it('that goes by a sequence of the writes loses what commits late, and is found', () => {
    // The second write drew its number first, and committed after the reader had passed the third.
    const bySequence = [first, third];
    expect(walked(bySequence)).toEqual(expect.arrayContaining(['feed lost']));
  });
});

describe('a media import', () => {
  const media = [aMedia()];

  it('with one media entry, one file and one event passes, also if other things changed', () => {
    expect(broken({ media }, importedRows())).toEqual([]);
    const key = `${STORE}/${'b'.repeat(64)}.png`;
    const draft = { key, isDraft: true, sha256: 'half' };
    const { known = [], stored = [] } = importedRows();
    expect(broken({ media }, importedRows({ known: [...known, key], stored: [...stored, draft] }))).toEqual([]);
  });
  it('follows the rules of every key: answered in time, with the same bytes and an expected status', () => {
    expect(broken({ media: [aMedia({ attempts: [lost] })] }, importedRows())).toEqual(['key stuck']);
    const [accepted] = aMedia().attempts;
    expect(broken({ media: [aMedia({ attempts: accepted ? [accepted, accepted] : [] })] }, importedRows())).toEqual([
      'executed twice',
    ]);
    const failed = anAttempt({ answer: anAnswer({ status: 500 }) });
    expect(broken({ media: [aMedia({ attempts: accepted ? [failed, accepted] : [] })] }, importedRows())).toEqual([
      'not expected',
    ]);
  });
  it('is a violation if two are recorded, if it ends twice, or if another or no import is recorded', () => {
    const twin = anImport({}, { id: 'twin' });
    const ends = [anEnd(), anEnd({ id: 'end of twin', resourceId: 'twin' })];
    expect(broken({ media }, importedRows({ imports: [anImport(), twin], events: ends }))).toEqual(['executed twice']);
    expect(broken({ media }, importedRows({ events: [anEnd(), anEnd({ id: 'again' })] }))).toEqual(['executed twice']);
    expect(broken({ media }, importedRows({ imports: [twin], events: ends.slice(1) }))).toEqual(['not executed']);
    expect(broken({ media })).toEqual(['not executed']);
    expect(broken({ media: [aMedia({ attempts: [lost, anAttempt({ answer: anAnswer({ status: 401, body: '' }) })] })] })).toEqual(
      [],
    );
  });
  it('that does not end, or whose item has the wrong result, is a violation', () => {
    const open = importedRows({ imports: [anImport({ status: 'Downloading' }, { status: 'Running' })], media: [] });
    expect(broken({ media }, open)).toContain('media not imported');
    expect(broken({ media }, failedRows('fetch_failed'))).toEqual(['media not imported']);
    const items = aMedia().items.map((item) => ({ ...item, given: { errorCode: 'fetch_failed' } }));
    expect(broken({ media: [aMedia({ items })] }, failedRows('fetch_failed'))).toEqual([]);
    expect(broken({ media: [aMedia({ items })] }, failedRows('timeout'))).toEqual(['media not imported']);
    expect(broken({ media: [aMedia({ items })] }, importedRows())).toEqual(['media not imported']);
  });
  it('may fail because its app or product was removed, and for no other removal', () => {
    for (const [loses, errorCode] of [
      ['app', 'uninstalled'],
      ['product', 'product_not_found'],
    ] as const) {
      expect(broken({ media: [aMedia({ loses })] }, failedRows(errorCode))).toEqual([]);
      expect(broken({ media }, failedRows(errorCode))).toEqual(['media not imported']);
    }
  });
  it('may be given up only after five faults that could have ended its process', () => {
    const rows = failedRows('decode_failed', 'The service ended each time it imported this image.');
    const faults = Array.from({ length: 5 }, () => ({ kind: 'kill', from: 105, until: 108 }));
    expect(broken({ media, disturbances: faults }, rows)).toEqual([]);
    expect(broken({ media, disturbances: faults.slice(1) }, rows)).toEqual(['media not imported']);
    const before = faults.map((one) => ({ ...one, from: 1, until: 2 }));
    expect(broken({ media, disturbances: before }, rows)).toEqual(['media not imported']);
  });
  it('is a violation if its media or file is missing or different', () => {
    const { media: [added] = [], stored: [file] = [] } = importedRows();
    if (!added || !file) throw new Error('there is no import');
    for (const more of [
      { media: [] },
      { media: [{ ...added, productId: 'other' }] },
      { media: [{ ...added, storageKey: 'other' }] },
      { stored: [] },
      { stored: [{ ...file, isDraft: true }] },
      { stored: [{ ...file, sha256: 'other' }] },
      { media: [added, { ...added, id: 'of no item' }] },
      { known: [] },
    ])
      expect(broken({ media }, importedRows(more)), JSON.stringify(more)).toEqual(['media differs']);
  });
  it('reports its result correctly, only to its merchant and its own app', () => {
    const eventTypes = ['media.import_completed'];
    const mine = aSubscription({ eventTypes, installationId: 'app' });
    const theirs = aSubscription({ id: 'theirs', eventTypes, installationId: 'other' });
    const told = { ...aDelivery(anEnd()), subscriptionId: mine.id };
    expect(broken({ media }, importedRows({ events: [] }))).toEqual(['event lost']);
    expect(broken({ media }, importedRows({ events: [anEnd({ type: 'media.import_failed' })] }))).toEqual(['event lost']);
    expect(broken({ media, subscriptions: [mine, theirs] }, importedRows())).toEqual(['event lost']);
    expect(broken({ media, subscriptions: [mine, theirs], deliveries: [told] }, importedRows())).toEqual([]);
  });
});

describe('the rows', () => {
  it('have no slug twice among the live products of a store', () => {
    const twin = (more: object) => [aProduct(null), aProduct(null, { id: 'twin', ...more })];
    expect(broken({}, { products: twin({}) })).toEqual(['slug twice']);
    expect(broken({}, { products: twin({ isDeleted: true }) })).toEqual([]);
    expect(broken({}, { products: twin({ storeId: 'other' }) })).toEqual([]);
  });
  it('agree with the stored figures and with the list', () => {
    expect(broken({}, { products: [aProduct(null, { kept: { minPrice: 1 }, counted: { minPrice: 1 } })] })).toEqual([]);
    expect(broken({}, { products: [aProduct(null, { kept: { minPrice: 1 }, counted: { minPrice: 2 } })] })).toEqual([
      'figures differ',
    ]);
    expect(broken({}, { totals: [{ name: 'total', shown: 3, counted: 3 }] })).toEqual([]);
    expect(broken({}, { totals: [{ name: 'total', shown: 3, counted: 4 }] })).toEqual(['figures differ']);
    expect(broken({}, { totals: [{ name: 'total', shown: NaN, counted: 4 }] })).toEqual(['figures differ']);
  });
});

describe('processes', () => {
  it('end only by injected faults, and with 0 by SIGTERM', () => {
    expect(broken({ collapses: ['node 3 ended with 1'] })).toEqual(['not expected']);
    expect(broken({ terminations: [{ node: 1, from: 0, until: 1, code: 0 }] })).toEqual([]);
    expect(broken({ terminations: [{ node: 1, from: 0, until: 1, code: null }] })).toEqual(['answer lost by SIGTERM']);
  });
  it('never answer 500; 503 is allowed', () => {
    const answered = (status: number) => ({ name: 'token', attempt: anAttempt({ answer: anAnswer({ status }) }) });
    expect(broken({ others: [answered(500)] })).toEqual(['not expected']);
    expect(broken({ others: [answered(400)] })).toEqual(['not expected']);
    expect(broken({ others: [answered(503)] })).toEqual([]);
  });
});

it('a verdict has the counts and the slowest recovery', () => {
  const history = aHistory({
    keys: [aKey({ attempts: [lost, anAttempt({ sentAt: 111, endedAt: 150 })] })],
    subscriptions: [aSubscription({ option: 'order' })],
    deliveries: [aDelivery(UPDATE)],
  });
  const crash = { kind: 'crash', from: 90, until: 120 };
  const verdict = check({ ...history, disturbances: [crash] }, theRows(DONE), LIMITS);
  expect(verdict).toEqual({
    violations: [],
    keys: 1,
    copied: 0,
    requests: 2,
    events: 1,
    deliveries: 1,
    ordered: 1,
    slowestRecovery: 30,
    walked: 0,
    outages: [],
    failovers: [],
    lostKeys: 0,
    informed: 0,
    reads: 0,
  });
});
