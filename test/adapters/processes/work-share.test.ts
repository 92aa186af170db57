import { describe, expect, it } from 'vitest';

import { MAX_ALL_DRY_RUNS, MAX_EXPORTS } from '../../../src/adapters/http/work-share.ts';
import { sharingTogether, workShare } from '../../../src/adapters/wiring/processes/work-share.ts';
import type { SharedPlace, ApiNews } from '../../../src/adapters/wiring/processes/protocol.ts';

/** Takes all places that an app may have. Each controller ends one. */
const takeAll = async (share: ReturnType<typeof workShare>): Promise<AbortController[]> => {
  const taken = Array.from({ length: MAX_EXPORTS }, () => new AbortController());
  for (const { signal } of taken) expect(await share.take('export', 'an app', signal)).toBe(true);
  return taken;
};
const lasting = new AbortController().signal;

describe('a share of exports', () => {
  it('gives an installation its places and no more, beside those of others', async () => {
    const share = workShare();
    await takeAll(share);
    expect(await share.take('export', 'an app', lasting)).toBe(false);
    expect(await share.take('export', 'another', lasting)).toBe(true);
  });

  it('has the place again at the end of an export, also of one that ended before it began', async () => {
    const share = workShare();
    const [first] = await takeAll(share);
    first?.abort();
    expect(await share.take('export', 'an app', AbortSignal.abort())).toBe(true);
    expect(await share.take('export', 'an app', lasting)).toBe(true);
    expect(await share.take('export', 'an app', lasting)).toBe(false);
  });
});

describe('a share of dry runs', () => {
  it('is one of each owner, beside its exports', async () => {
    const share = workShare();
    const run = new AbortController();
    expect(await share.take('dryRun', 'an app', run.signal)).toBe(true);
    expect(await share.take('dryRun', 'an app', lasting)).toBe(false);
    expect(await share.take('export', 'an app', lasting)).toBe(true);
    run.abort();
    expect(await share.take('dryRun', 'an app', lasting)).toBe(true);
  });

  it('is a few of a process, for all owners together', async () => {
    const share = workShare();
    const runs = Array.from({ length: MAX_ALL_DRY_RUNS }, () => new AbortController());
    for (const [at, { signal }] of runs.entries()) expect(await share.take('dryRun', `app ${String(at)}`, signal)).toBe(true);
    const refused = new AbortController();
    expect(await share.take('dryRun', 'another', refused.signal)).toBe(false);
    refused.abort();
    runs[0]?.abort();
    expect(await share.take('dryRun', 'another', lasting)).toBe(true);
    expect(await share.take('dryRun', 'one more', lasting)).toBe(false);
  });
});

describe('a share of several processes', () => {
  const open = (answer: boolean | undefined) => {
    const [asked, told]: [unknown[], ApiNews[]] = [[], []];
    const ask = (_topic: string, place: unknown) => {
      asked.push(place);
      return Promise.resolve(answer as never);
    };
    return { asked, told, share: sharingTogether({ ask, tell: (news) => void told.push(news) }, workShare()) };
  };
  const PLACE: SharedPlace = ['export', 'an app'];

  it('asks the primary process, and tells it the end', async () => {
    const { asked, told, share } = open(true);
    const export_ = new AbortController();
    expect(await share.take('export', 'an app', export_.signal)).toBe(true);
    expect([asked, told]).toEqual([[PLACE], []]);
    export_.abort();
    expect(told).toEqual([{ kind: 'left', place: PLACE }]);
  });

  it('is what the primary process says', async () => {
    const { told, share } = open(false);
    expect(await share.take('export', 'an app', AbortSignal.abort())).toBe(false);
    expect(told).toEqual([]);
  });

  it('is that of this process alone while the primary does not answer', async () => {
    const { share } = open(undefined);
    await takeAll(share);
    expect(await share.take('export', 'an app', lasting)).toBe(false);
  });
});
