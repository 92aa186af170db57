import { describe, expect, it } from 'vitest';

import type { WalkHistory } from '../campaigns/faults/history.ts';
import {
  aDelivery,
  aFailover,
  aKey,
  anAnswer,
  anAttempt,
  anUpdate,
  aProduct,
  aSubscription,
  aWalk,
  broken,
} from './histories.ts';

const SYNCHRONOUS = [aFailover()];
const LOSING = [aFailover({ isAsynchronous: true })];
/** An old primary that runs on until 300. */
const DIVIDED = [aFailover({ goneAt: Infinity, leftAt: 300 })];

const at = (sentAt: number, endedAt: number, status = 200) => anAttempt({ sentAt, endedAt, answer: anAnswer({ status }) });

describe('a failover', () => {
  it('that every node follows passes', () => {
    expect(broken({ failovers: SYNCHRONOUS })).toEqual([]);
  });
  it('after which a node answers no write within 10 s, none is asked, or one stays with the old primary is a violation', () => {
    for (const more of [{ recoveries: [300, 10_001] }, { recoveries: [] }, { goneAt: Infinity, leftAt: Infinity }])
      expect(broken({ failovers: [aFailover(more)] })).toEqual(['failover not followed']);
  });
  it('during which a request is answered with success while there are only standbys is a violation', () => {
    const during = (attempt: ReturnType<typeof at>) => broken({ failovers: SYNCHRONOUS, others: [{ name: 'product', attempt }] });
    expect(during(at(110, 190))).toEqual(['read from a standby']);
    expect([during(at(110, 190, 503)), during(at(90, 190)), during(at(110, 220))]).toEqual([[], [], []]);
  });
});

describe('a read', () => {
  const reading = (sentAt: number, n: number, failovers = SYNCHRONOUS) =>
    broken({
      failovers,
      sequence: { writes: [{ n: 1, answeredAt: 80 }], reads: [{ node: 1, sentAt, endedAt: sentAt + 1, n }] },
    });

  it('that shows less than was acknowledged before is a violation', () => {
    expect([reading(250, 0), reading(80, 0), reading(250, 1)]).toEqual([['read stale'], [], []]);
  });
  it('of what a failover lost, or of an old primary that nobody isolated, is not judged', () => {
    expect([reading(250, 0, LOSING), reading(250, 0, DIVIDED), reading(5_000, 0, DIVIDED)]).toEqual([[], [], ['read stale']]);
  });
  it('that no node answers while a standby is away is a violation', () => {
    const missing = { from: 10, until: 60 };
    const sequence = (sentAt: number) => ({ writes: [], reads: [{ node: 1, sentAt, endedAt: sentAt + 1, n: 0 }] });
    const failovers = [aFailover({ missing })];
    expect(broken({ failovers, sequence: sequence(5) })).toEqual(['reads stopped']);
    expect(broken({ failovers, sequence: sequence(20) })).toEqual([]);
  });
});

describe('what a failover may lose', () => {
  const key = (endedAt: number) => [aKey({ attempts: [anAttempt({ sentAt: 1, endedAt })] })];

  it('is the end of what was acknowledged, where no commit waits', () => {
    expect(broken({ failovers: LOSING, keys: key(60) })).toEqual([]);
    expect(broken({ failovers: LOSING, keys: key(40) })).toEqual(['not executed']);
    expect(broken({ failovers: SYNCHRONOUS, keys: key(60) })).toEqual(['not executed']);
  });
  it('is a batch of an import that began before it, though its answer comes after it', () => {
    const imported = (sentAt: number) => [
      { storeId: 'store', kind: 'import' as const, ids: ['p'], type: 'product.created', attempts: [at(sentAt, 9_000)] },
    ];
    expect(broken({ failovers: LOSING, writes: imported(60) })).toEqual([]);
    expect(broken({ failovers: LOSING, writes: imported(8_000) })).toEqual(['event lost']);
    expect(broken({ failovers: SYNCHRONOUS, writes: imported(60) })).toEqual(['event lost']);
  });
  it('is a key that is executed again, but not twice in the end', () => {
    const again = [aKey({ attempts: [at(1, 60), at(3_000, 3_010)] })];
    const rows = { events: [anUpdate('k/0')], products: [aProduct('k/0')] };
    expect(broken({ failovers: LOSING, keys: again }, rows)).toEqual([]);
    expect(broken({ failovers: SYNCHRONOUS, keys: again }, rows)).toEqual(['executed twice']);
    const twice = {
      events: [...rows.events, anUpdate('x', 'k/0'), anUpdate('k/0', 'x', { id: 'again' })],
      products: rows.products,
    };
    expect(broken({ failovers: LOSING, keys: again }, twice)).toContain('executed twice');
  });
  it('is an event that was delivered', () => {
    const deliveries = [{ ...aDelivery(anUpdate('lost')), at: 60 }];
    expect(broken({ failovers: LOSING, deliveries })).toEqual([]);
    expect(broken({ failovers: SYNCHRONOUS, deliveries })).toEqual(['event of nothing']);
  });
  it('is a removal, after which deliveries continue', () => {
    const event = anUpdate('k/0');
    const rows = { events: [event], products: [aProduct('k/0')] };
    const history = (removedAt: number) => ({
      subscriptions: [aSubscription({ removalSentAt: removedAt, removedAt })],
      deliveries: [{ ...aDelivery(event), at: 5_000, alive: true }],
    });
    expect(broken({ failovers: LOSING, ...history(60) }, rows)).toEqual([]);
    expect(broken({ failovers: LOSING, ...history(40) }, rows)).toEqual(['delivered after removal']);
    expect(broken({ failovers: SYNCHRONOUS, ...history(60) }, rows)).toEqual(['delivered after removal']);
  });
});

describe('an app whose uninstallation was answered', () => {
  const signIn = { method: 'POST', path: '/apps/token', headers: {} } as const;
  const judge = (failovers = SYNCHRONOUS, isInstalled = false, status = 401) =>
    broken(
      { failovers, uninstalls: [{ installationId: 'app', answeredAt: 60, signIn }] },
      { installed: new Set(isInstalled ? ['app'] : []), signIns: new Map([['app', status]]) },
    );

  it('gets no token again, unless the uninstallation was lost', () => {
    expect([judge(), judge(LOSING, true, 200)]).toEqual([[], []]);
    for (const wrong of [judge(SYNCHRONOUS, true, 200), judge(SYNCHRONOUS, false, 200), judge(LOSING, true, 401)])
      expect(wrong).toEqual(['uninstall undone']);
  });
});

describe('a reader of the feed that had passed lost events', () => {
  const kept = anUpdate('a', null);
  const lost = anUpdate('b', 'a');
  const fresh = anUpdate('c', 'a');
  const rows = { events: [kept, fresh], products: [aProduct('c')] };
  const walk = (walks: WalkHistory, reason?: string): WalkHistory => ({
    ...walks,
    pages: walks.pages.map((page, n) => ({ ...page, at: n === 0 ? 60 : 5_000 })),
    resets: reason === undefined ? [] : [{ reason, pages: 1 }],
  });

  it('is interrupted with history_changed, and then misses nothing', () => {
    const good = walk(aWalk([kept, lost], [fresh]), 'history_changed');
    expect(broken({ failovers: LOSING, walks: [good] }, rows)).toEqual([]);
    expect(broken({ failovers: SYNCHRONOUS, walks: [good] }, rows)).toContain('feed lost');
    const repeats = walk(aWalk([kept, lost], [kept, fresh]), 'history_changed');
    expect(broken({ failovers: LOSING, walks: [repeats] }, rows)).toEqual([]);
  });
  it('and is not interrupted, misses an event, gets one twice, or gets another reason is a violation', () => {
    const judge = (walks: WalkHistory, reason?: string) => broken({ failovers: LOSING, walks: [walk(walks, reason)] }, rows);
    expect(judge(aWalk([kept, lost], [fresh]))).toContain('feed shows too much');
    expect(judge(aWalk([kept, lost], []), 'history_changed')).toEqual(['feed lost']);
    expect(judge(aWalk([kept, lost], [fresh, fresh]), 'history_changed')).toContain('feed twice');
    expect(judge(aWalk([kept, lost], [fresh]), 'not_kept')).toEqual(['feed lost']);
  });
});
