import type { Random } from '../random.ts';
import { citusKinds } from './citus.ts';
import { count } from '../injected.ts';
import { isPoint } from '../node/points.ts';
import type { World } from '../world.ts';
import { failoverKinds, SWITCH_OVER } from './failovers.ts';
import type { Kind } from './kind.ts';
import { lastingKinds } from './lasting.ts';
import { networkKinds } from './network.ts';
import { processKinds } from './processes.ts';
import { storageKinds } from './storage.ts';

const BRIEF_KINDS = { ...processKinds, ...storageKinds, ...networkKinds };
/** Every way to break things, by the name that --only takes. */
const KINDS: Readonly<Record<string, Kind>> = { ...BRIEF_KINDS, ...citusKinds, ...lastingKinds, ...failoverKinds };

/** Kinds that a campaign has a few times, kinds of every sequence, and kinds of a campaign of failovers. */
export const LASTING = Object.keys(lastingKinds);
export const BRIEF = Object.keys(BRIEF_KINDS);
export const COURSES = Object.keys(failoverKinds);
/** On a worker of Citus a claim waits for the disk, so none is lost. */
export const ON_CITUS = [...BRIEF.filter((name) => name !== 'lose-claim'), ...Object.keys(citusKinds)];
export { SWITCH_OVER };

/**
 * The lasting kinds of each round, by what the rounds have their queue on: each kind once at least,
 * spread over the rounds that have what it breaks.
 */
export const spreadLasting = (queues: readonly ('postgres' | 'redis')[]): readonly (readonly string[])[] => {
  const rounds = queues.map((queue) => ({ queue, names: [] as string[] }));
  for (let n = 0; n < Math.max(queues.length, LASTING.length); n += 1) {
    const name = LASTING[n % LASTING.length] ?? '';
    const fitting = rounds.filter(({ queue }) => KINDS[name]?.needs !== 'redis' || queue === 'redis');
    const [least] = fitting.sort((one, other) => one.names.length - other.names.length);
    least?.names.push(name);
  }
  return rounds.map(({ names }) => names);
};

/** `kill-at-point=key.lock:after`: the kind, and where it is to strike. */
const parse = (name: string): readonly [kind: string, where: string | undefined] => {
  const [kind = '', ...where] = name.split('=');
  return [kind, where.length === 0 ? undefined : where.join('=')];
};

/** True for a kind that --only may name. */
export const isKind = (name: string): boolean => {
  const [kind, where] = parse(name);
  return kind in KINDS && (where === undefined || (kind.endsWith('-at-point') && isPoint(where)));
};

const copiesOf = (random: Random, name: string, short: boolean): number => {
  const weight = KINDS[parse(name)[0]]?.weight ?? 0;
  if (short) return 1;
  return weight < 1 ? Number(random.chance(weight)) : weight;
};

/**
 * The kinds in the proportion of their weights, a weight below one being the chance to be there;
 * each once in a short one. The seed decides the order.
 */
export const sequenceOf = (random: Random, names: readonly string[], short: boolean): string[] =>
  random.shuffled(names.flatMap((name) => Array.from({ length: copiesOf(random, name, short) }, () => name)));

/** How often a fault is tried again at another point if its point is never passed. */
const TRIES = 5;

/** Injects one fault and counts what landed, and what was tried and came to nothing. */
export const inject = async (world: World, name: string): Promise<void> => {
  const [kindName, where] = parse(name);
  const kind = KINDS[kindName];
  if (!kind || (kind.needs && world[kind.needs] === null)) return;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const landed = await kind.inject(world, where);
    for (const what of landed) count(world.injected.kinds, what);
    if (landed.length > 0) return;
    count(world.injected.missed, kindName);
  }
};
