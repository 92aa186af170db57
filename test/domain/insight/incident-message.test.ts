import { describe, expect, it } from 'vitest';

import { eachOnce, noticeText, type Notice } from '../../../src/domain/insight/incident-message.ts';

const notice = (id: string, phase: Notice['phase'] = 'begin', more: Partial<Notice['incident']> = {}): Notice => ({
  phase,
  incident: {
    id,
    storeId: 's',
    store: 'a.test',
    kind: 'receiver_failing',
    subject: 'x',
    name: 'x.test',
    beganAt: '2026-01-01T00:00:00.000Z',
    endedAt: phase === 'end' ? '2026-01-01T01:00:00.000Z' : null,
    impact: 1,
    cause: 'The last 10 attempts failed.',
    ...more,
  },
});

describe('a message', () => {
  it('has the end of an incident in place of its beginning', () => {
    const [begun, end, other] = [notice('1'), notice('1', 'end'), notice('2')];
    expect(eachOnce([begun, other, end])).toEqual([other, end]);
  });
  it('about one incident says what it is', () => {
    expect(noticeText([notice('1')])).toEqual({
      subject: 'Began: Receiver fails: x.test (a.test)',
      lines: [
        'Began: Receiver fails: x.test (a.test), since 2026-01-01T00:00:00.000Z. Impact: 1 delivery. The last 10 attempts failed.',
      ],
    });
    expect(noticeText([notice('1', 'end', { impact: 2 })])).toEqual({
      subject: 'Ended: Receiver fails: x.test (a.test)',
      lines: [
        'Ended: Receiver fails: x.test (a.test), from 2026-01-01T00:00:00.000Z to 2026-01-01T01:00:00.000Z. Impact: 2 deliveries. The last 10 attempts failed.',
      ],
    });
  });
  it('about a beginning says since when, also where the incident has ended meanwhile', () => {
    const [line] = noticeText([notice('1', 'begin', { endedAt: '2026-01-01T01:00:00.000Z' })]).lines;
    expect(line).toContain('Began: Receiver fails: x.test (a.test), since 2026-01-01T00:00:00.000Z. ');
  });
  it('names a store once, and none for the whole server', () => {
    const late = notice('1', 'begin', { kind: 'deliveries_late', name: 'a.test' });
    expect(noticeText([late]).subject).toBe('Began: Deliveries late: a.test');
    const redis = notice('1', 'begin', { kind: 'redis_away', name: 'Redis', storeId: null, store: null });
    expect(noticeText([redis]).subject).toBe('Began: Redis does not answer: Redis');
  });
  it('about several counts them, and has 20 lines of them', () => {
    const many = Array.from({ length: 21 }, (_, n) => notice(String(n)));
    const twenty = noticeText(many.slice(0, 20));
    expect([twenty.subject, twenty.lines.length]).toEqual(['20 incidents: 20 began', 20]);
    const { subject, lines } = noticeText([...many, notice('x', 'end')]);
    expect(subject).toBe('22 incidents: 21 began, 1 ended');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('And 2 more. tenon incidents lists all.');
    expect(noticeText([notice('1', 'end'), notice('2', 'end')]).subject).toBe('2 incidents: 2 ended');
  });
});
