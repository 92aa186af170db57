import { randomUUID } from 'node:crypto';

import type { Case, Run } from '../support/campaign.ts';
import { everyOperation, nameOf, type Operation } from '../support/operations.ts';
import type { Answer } from '../support/attacker.ts';
import { idsIn, openShop, pathOf, type Shop } from '../support/shop.ts';
import { ADMIN_TOKEN } from '../../../../bench/support/tenon.ts';
import { asAdmin, openSite, type Site } from '../support/site.ts';
import { createMeter } from '../watch/meter.ts';
import { openWatch, type Effect } from '../watch/watch.ts';
import { COSTLY_DEFINITION, COSTLY_TYPE } from '../worst/entry-bodies.ts';
import { fillWithFilters, LARGE_EVENT } from '../worst/filters.ts';
import { shortOf, worstOf, type Worst } from '../worst/requests.ts';

/** Limits of the harm by one request. */
const MOST_STALL_MS = 250;
const MOST_GROWTH_MB = 100;
/** The goal for a turn of the event loop, on a machine that does nothing else. */
const GOAL_MS = 50;
/**
 * A stall that is the server's own comes again; one of a machine that is busy with something else
 * hardly does, three times in a row.
 */
const ATTEMPTS = 3;
/** An import is long work, and its client waits for it. */
const DEADLINE_MS = 120_000;
/** A stream has no limit. */
const STREAM_BYTES = 3_000_000;
/** The limits that a route may have, as they are tried. */
const LIMITS = [2_097_152, 1_048_576, 65_536, 16_384, 4_096];
const STREAMED = ['text/csv', 'application/x-ndjson'];
const LIST = 'GET /apps/catalog/products';
const EXPORT = 'GET /admin/stores/{storeId}/products/export';
const ENDING = /uninstall|revoke-tokens|rotate-/;

const isStreamed = ({ bodies }: Operation): boolean => Object.keys(bodies).some((type) => STREAMED.includes(type));
const isEnding = (operation: Operation): boolean => operation.method === 'DELETE' || ENDING.test(operation.path);
/** Writes come first, so that reads have the most to read; deletions come last. */
const orderOf = (operation: Operation): number => (isEnding(operation) ? 2 : Object.keys(operation.bodies).length > 0 ? 0 : 1);

interface Target {
  readonly site: Site;
  readonly shop: Shop;
  /** By what stands for it in a worst request. */
  readonly made: Readonly<Record<string, string>>;
}

interface Attack {
  readonly operation: Operation;
  readonly worst: Worst;
  readonly bytes: number;
  /** Where it is sent. By default the target of the operation. */
  readonly target?: Target;
}

const openTarget = async (site: Site): Promise<Target> => {
  const shop = await openShop(site, everyOperation, 1);
  await asAdmin(site)('PUT', `/admin/stores/${shop.id}/metaobject-definitions/${COSTLY_TYPE}`, COSTLY_DEFINITION, {
    wanted: [200, 201],
  });
  return { site, shop, made: {} };
};

const credentialsOf = ({ side }: Operation, { shop }: Target): Record<string, string> => {
  const key = { 'idempotency-key': randomUUID() };
  if (side === 'admin') return { ...key, authorization: `Bearer ${ADMIN_TOKEN}` };
  return { ...key, host: shop.domain, authorization: `Bearer ${shop.apps[0]?.token ?? ''}` };
};

/** Not through `Ask`: the head is the worst one's own. */
const send = (operation: Operation, target: Target, worst: Worst, bytes: number, attempt: number): Promise<Answer> => {
  const { site, shop, made } = target;
  const own = Object.fromEntries(Object.entries(worst.ids ?? {}).map(([name, id]) => [name, made[id] ?? id]));
  const given = { ...idsIn(operation, shop, shop.apps[0]!), ...own };
  const ids = worst.segment === undefined ? given : Object.fromEntries(Object.keys(given).map((name) => [name, worst.segment!]));
  const types = Object.keys(operation.bodies);
  const body = worst.body?.(attempt, bytes) ?? (types.length > 0 ? '{}' : undefined);
  const type = worst.contentType ?? types[0];
  return site.attacker.send({
    what: worst.what,
    base: operation.side === 'admin' ? site.adminUrl : site.url,
    method: operation.method,
    path: `${pathOf(operation.path, ids)}${worst.query === undefined ? '' : `?${worst.query}`}`,
    headers: { ...credentialsOf(operation, target), ...(type !== undefined && { 'content-type': type }), ...worst.headers },
    ...(body !== undefined && { body }),
    deadlineMs: DEADLINE_MS,
    makesSecrets: operation.makesSecrets,
    lane: 'hostile',
  });
};

/**
 * How large a body the operation reads: found by trying, so that a new route needs no entry
 * anywhere.
 */
const limitOf = async (operation: Operation, target: Target): Promise<number> => {
  if (Object.keys(operation.bodies).length === 0) return LIMITS[1]!;
  if (isStreamed(operation)) return STREAM_BYTES;
  for (const bytes of LIMITS) {
    const worst: Worst = { what: 'blanks, to find the limit', body: () => ' '.repeat(bytes) };
    if ((await send(operation, target, worst, bytes, 0)).status !== 413) return bytes;
  }
  return LIMITS.at(-1)!;
};

/**
 * Sends the worst legal request of each kind to every operation of both documents, one at a time,
 * beside cheap requests of others.
 */
export const guard: Case = {
  about: `The most expensive legal requests to every operation, beside cheap ones. No cheap request may wait ${MOST_STALL_MS} ms, and memory may not grow by ${MOST_GROWTH_MB} MB. The goal for a turn of the event loop is ${GOAL_MS} ms.`,
  run: async ({ environment, attacker, short, preload, only }: Run) => {
    const [meter, twinMeter] = [createMeter(), createMeter()];
    const modules = preload === undefined ? [] : [preload];
    const site = await openSite(environment, attacker, { ...meter.env(modules), TRUSTED_PROXIES: '127.0.0.0/8' });
    const twin = await openSite(environment, attacker, twinMeter.env());
    const watch = openWatch(
      { site, meter, shop: await openShop(site, everyOperation, 1) },
      { site: twin, meter: twinMeter, shop: await openShop(twin, everyOperation, 1) },
    );
    const opened = await openTarget(site);
    const main = { ...opened, made: { [LARGE_EVENT]: await fillWithFilters(site, opened.shop.id) } };
    // A store that moves or an app without scopes would answer all that follows with an easy 401.
    const changing = await openTarget(site);
    // Hundreds of imports make one export take 15 s, and there are dozens of exports.
    const importing = await openTarget(site);
    let doomed = await openTarget(site);
    const targetOf = (operation: Operation): Target => {
      if (isEnding(operation)) return doomed;
      if (isStreamed(operation)) return importing;
      return operation.method === 'PATCH' ? changing : main;
    };
    const collected = async (): Promise<number> => (await watch.readCollected()).rss;
    let floor = await collected();
    const first = floor;
    const worstSeen = { stallMs: 0, stall: 'nothing', growth: 0, growing: 'nothing' };
    /** The longest turn of each operation, and with what. */
    const turns = new Map<string, { readonly ms: number; readonly what: string }>();
    let shots = 0;
    let accepted = 0;
    let repeated = 0;

    const isOver = ({ stallMs, peakRss }: Effect): boolean => stallMs > MOST_STALL_MS || peakRss - floor > MOST_GROWTH_MB;
    const attempt = async (shot: Attack, number: number): Promise<Effect> => {
      const { operation, worst, bytes, target = targetOf(operation) } = shot;
      shots += 1;
      const { status } = await send(operation, target, worst, bytes, number);
      if (status >= 200 && status < 300) accepted += 1;
      const effect = await watch.read();
      // The request has ended its target.
      if (isEnding(operation) && status >= 200 && status < 300) {
        doomed = await openTarget(site);
        await watch.read();
      }
      return effect;
    };
    const judged = async (shot: Attack): Promise<void> => {
      const { operation, worst } = shot;
      let effect = await attempt(shot, 0);
      let { stallMs, turnMs } = effect;
      for (let number = 1; number < ATTEMPTS && (turnMs > GOAL_MS || isOver(effect)); number += 1) {
        repeated += 1;
        // Garbage of the requests before is not this one's.
        floor = await collected();
        effect = await attempt(shot, number);
        stallMs = Math.min(stallMs, effect.stallMs);
        turnMs = Math.min(turnMs, effect.turnMs);
      }
      const growth = Math.round(effect.peakRss - floor);
      const name = `${nameOf(operation)} (${worst.what})`;
      if (turnMs > (turns.get(nameOf(operation))?.ms ?? 0)) turns.set(nameOf(operation), { ms: turnMs, what: worst.what });
      if (stallMs > worstSeen.stallMs) Object.assign(worstSeen, { stallMs, stall: name });
      if (growth > worstSeen.growth) Object.assign(worstSeen, { growth, growing: name });
      if (!isOver({ ...effect, stallMs })) return;
      const kind = stallMs > MOST_STALL_MS ? 'stall' : 'memory';
      const about = `${nameOf(operation)}: ${worst.what}: others waited ${Math.round(stallMs)} ms, memory grew by ${growth} MB`;
      attacker.violate(kind, about);
      process.stdout.write(`✗ ${kind}: ${about}\n`);
      floor = await collected();
    };

    const chosen = everyOperation.filter((operation) => only === undefined || new RegExp(only).test(nameOf(operation)));
    for (const [turn, operation] of chosen.toSorted((one, other) => orderOf(one) - orderOf(other)).entries()) {
      const bytes = await limitOf(operation, targetOf(operation));
      await watch.read();
      const all = worstOf(operation);
      // A full run takes half an hour.
      if (!short) process.stderr.write(`  ${turn + 1} of ${chosen.length}: ${nameOf(operation)}, ${all.length} requests\n`);
      for (const worst of short ? shortOf(all, turn) : all) await judged({ operation, worst, bytes });
    }
    const exporting = chosen.find((operation) => nameOf(operation) === EXPORT);
    const largest: Worst = { what: 'the store that took all imports' };
    if (exporting) await judged({ operation: exporting, worst: largest, bytes: 0, target: importing });
    const kept = Math.round((await collected()) - first);
    if (kept > MOST_GROWTH_MB) attacker.violate('memory', `${kept} MB are kept after all requests have been answered`);
    // Otherwise the operations of apps were refused before they did anything.
    const list: Worst = { what: 'a good request in the end', query: 'take=1' };
    const last = await send(
      everyOperation.find((operation) => nameOf(operation) === LIST)!,
      main,
      list,
      0,
      0,
    );
    if (last.status !== 200) attacker.violate('wrong answer', `${last.status} to a good request after the hostile ones`);
    const slowest = [...turns].toSorted(([, one], [, other]) => other.ms - one.ms);
    const over = slowest.filter(([, { ms }]) => ms > GOAL_MS);
    const lines = (short ? over : slowest).map(
      ([name, { ms, what }]) => `${String(Math.round(ms)).padStart(6)} ms  ${name} (${what})\n`,
    );
    process.stderr.write(`The longest turns of the event loop, by operation:\n${lines.join('')}`);
    watch.close();
    await site.stop();
    await twin.stop();
    return {
      operations: chosen.length,
      requests: shots,
      accepted,
      'sent again': repeated,
      'others waited at most, ms': Math.round(worstSeen.stallMs),
      for: worstSeen.stall,
      [`operations with a turn of more than ${GOAL_MS} ms`]: over.length,
      'memory growth at most, MB': worstSeen.growth,
      by: worstSeen.growing,
      'memory kept, MB': kept,
    };
  },
};
