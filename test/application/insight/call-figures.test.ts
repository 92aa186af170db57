import { beforeEach, describe, expect, it } from 'vitest';

import { countCalls, type Call } from '../../../src/application/insight/count-calls.ts';
import { getCallFigures, getOwnCallFigures } from '../../../src/application/insight/get-call-figures.ts';
import { notFound } from '../../../src/domain/result.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { openMemoryPorts, type MemoryWorld } from '../../support/memory-ports.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the figures of the calls of an app', () => {
  let world: MemoryWorld;
  let storeId: string;
  let installationId: string;
  const install = async (): Promise<string> => {
    const id = world.ids.next();
    const secrets = { clientSecret: { id: world.ids.next(), hash: 'h' }, signingSecret: { id: world.ids.next(), sealed: 's' } };
    await world.installations.create({ id, storeId, name: 'App', clientId: id, scopes: [], ...secrets });
    return id;
  };
  const call = async (...calls: readonly Partial<Call>[]): Promise<void> => {
    const counter = countCalls(world, () => expect.fail('lost'));
    const answered = { storeId, installationId, at: world.clock.now(), status: 200, durationMs: 10 };
    for (const one of calls) counter.add({ ...answered, ...one });
    await counter.flush();
  };
  beforeEach(async () => {
    world = openMemoryPorts();
    storeId = world.ids.next();
    await world.stores.create({ id: storeId, domain: 'a.test', name: 'A', currency: 'EUR' });
    installationId = await install();
  });

  it('are its answers and their times in each step, and the times of all steps together', async () => {
    const now = world.clock.now();
    await call({ at: now - 2 * MINUTE }, { at: now - MINUTE, status: 404, durationMs: 50 }, { installationId: await install() });
    const since = now - HOUR;
    const found = await getOwnCallFigures(world)({ storeId, installationId }, { since });
    const nothing = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0 };
    const times = (p50: number, p95: number) => ({ p50: { ms: p50, isOver: false }, p95: { ms: p95, isOver: false } });
    expect(found).toEqual({
      ok: true,
      value: {
        from: since,
        to: now,
        step: 'minute',
        steps: [
          { at: isoTime(now - 2 * MINUTE), answers: { ...nothing, '2xx': 1 }, ...times(5, 9.5) },
          { at: isoTime(now - MINUTE), answers: { ...nothing, '4xx': 1 }, ...times(37.5, 48.75) },
        ],
        ...times(10, 47.5),
      },
    });
  });
  it('are refused for a range that is not one of theirs', async () => {
    const wanted = { since: world.clock.now() + HOUR };
    expect(await getOwnCallFigures(world)({ storeId, installationId }, wanted)).toMatchObject({ ok: false, code: 'invalid' });
  });
  it('are the same for the merchant, who names the app alone', async () => {
    await call({ at: world.clock.now() - MINUTE });
    const own = await getOwnCallFigures(world)({ storeId, installationId }, {});
    expect(own).toMatchObject({ ok: true, value: { steps: [{ answers: { '2xx': 1 } }] } });
    expect(await getCallFigures(world)(installationId, {})).toEqual(own);
  });
  it('are not found where there is no such app', async () => {
    expect(await getCallFigures(world)(storeId, {})).toEqual(notFound('Installation'));
  });
});
