import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { JudgedParts } from '../../src/adapters/http/judged-parts.ts';
import { Renewal, type EndedAccess } from '../../src/adapters/http/renewal.ts';
import { StreamBody } from '../../src/adapters/http/stream-body.ts';
import { refuse } from '../../src/domain/result.ts';
import { ConnectionLost } from '../../src/domain/unavailable.ts';

const ENDED = refuse('unauthenticated', 'It has ended.');
const SECOND = 1_000;

let asked: number;
let judge: () => Promise<EndedAccess | null>;
let renewal: Renewal;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  asked = 0;
  judge = () => Promise.resolve(null);
  renewal = new Renewal(() => {
    asked += 1;
    return judge();
  });
});
afterEach(() => vi.useRealTimers());
const end = (): void => {
  judge = () => Promise.resolve(ENDED);
};

describe('a long body', () => {
  /** Reads three chunks, each `ms` after the one before. */
  const read = async (ms: number, meanwhile: () => void = () => undefined): Promise<string[]> => {
    const sent = async function* (): AsyncGenerator<Buffer> {
      for (const text of ['a', 'b', 'c']) {
        vi.advanceTimersByTime(ms);
        if (text === 'b') meanwhile();
        yield await Promise.resolve(Buffer.from(text));
      }
    };
    const body = new StreamBody({ contentType: 'text/csv', charset: undefined }, Readable.from(sent(), { highWaterMark: 1 }));
    const chunks: string[] = [];
    for await (const chunk of body.read(renewal)) chunks.push(String(chunk));
    return chunks;
  };
  it('that comes slowly ends with the access of its sender', async () => {
    expect(await read(2 * SECOND, end)).not.toContain('c');
    expect(renewal.ended.aborted).toBe(true);
  });
  it('that comes at once costs no question for each of its pieces', async () => {
    expect(await read(1)).toEqual(['a', 'b', 'c']);
    expect(asked).toBe(0);
  });
  it('continues while nobody can tell, and fails with any other error', async () => {
    judge = () => Promise.reject(new ConnectionLost(null));
    expect(await read(2 * SECOND)).toEqual(['a', 'b', 'c']);
    judge = () => Promise.reject(new Error('a bug'));
    await expect(read(2 * SECOND)).rejects.toThrow('a bug');
  });
});

describe('a long answer', () => {
  const parts = async function* (meanwhile: () => void = () => undefined): AsyncGenerator<string[]> {
    yield await Promise.resolve(['a', 'b']);
    meanwhile();
  };
  const textOf = async (judged: JudgedParts): Promise<string> => {
    let text = '';
    for await (const part of judged) text += part;
    return text;
  };
  it('is judged before each part and before its end', async () => {
    const whole = new JudgedParts(parts(), { renewal, lastWords: '!' });
    expect([await textOf(whole), whole.isCut, asked]).toEqual(['ab', false, 2]);
    const cut = new JudgedParts(parts(end), { renewal, lastWords: '!' });
    expect([await textOf(cut), cut.isCut]).toEqual(['ab!', true]);
    expect(await textOf(new JudgedParts(parts(), { renewal }))).toBe('');
  });
});
