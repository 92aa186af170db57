import { useState } from 'react';

import { useLive } from '../../api/live.ts';
import type { LiveFrame } from '../../api/types.ts';

export type ImportFrame = Extract<LiveFrame, { kind: 'import' }>;

export const isOfProducts = (frame: LiveFrame): frame is ImportFrame => frame.kind === 'import' && frame.of === 'products';

interface Followed {
  /** The latest one of each import, in the order in which the imports were first seen. */
  readonly frames: readonly ImportFrame[];
  /** The ids of earlier imports of this page. */
  readonly before: readonly string[];
  /** Imports from before the present one. Null while there is none. */
  readonly seen: readonly string[] | null;
  /** The id of the present one, once it is known. */
  readonly id: string | null;
}

const NOTHING: Followed = { frames: [], before: [], seen: null, id: null };

const ownIdOf = ({ frames, before, seen, id }: Followed): string | null => {
  if (id !== null || seen === null) return id;
  return frames.find((frame) => !before.includes(frame.id) && !seen.includes(frame.id))?.id ?? null;
};

const followed = (now: Followed, arrived: readonly LiveFrame[]): Followed => {
  const ownId = ownIdOf(now);
  // How far another one is now is not known where frames are missing. The next one tells.
  const isGap = arrived.some(({ kind }) => kind === 'dropped');
  const known = isGap ? now.frames.filter(({ id, status }) => id === ownId || status !== 'Running') : now.frames;
  const byId = new Map([...known, ...arrived.filter(isOfProducts)].map((frame) => [frame.id, frame]));
  return { ...now, frames: [...byId.values()] };
};

const started = (now: Followed): Followed => {
  const ownId = ownIdOf(now);
  return {
    frames: now.frames,
    before: ownId === null ? now.before : [...now.before, ownId],
    seen: now.frames.map(({ id }) => id),
    id: null,
  };
};

/**
 * An import without an answer and without a frame has not reached the server: a later frame is of
 * another import.
 */
const ended = (now: Followed, answered: string | null): Followed => {
  const id = answered ?? ownIdOf(now);
  return { ...now, id, seen: id === null ? null : now.seen };
};

/**
 * How far the imports into a store are, on this page and elsewhere. The id of an import is that of its
 * request, which comes with the answer. Until then the first import that is new since the start is this
 * page's. A frame may come after the answer: streams and answers are not in one order.
 */
export const useImportFrames = (storeId: string) => {
  const [now, setNow] = useState(NOTHING);
  useLive(storeId, (arrived) => setNow((old) => followed(old, arrived)));
  const ownId = ownIdOf(now);
  const isOther = ({ id, isDryRun }: ImportFrame): boolean => !isDryRun && id !== ownId && !now.before.includes(id);
  return {
    counts: now.frames.find(({ id }) => id === ownId) ?? null,
    other: now.frames.findLast(isOther) ?? null,
    started: () => setNow(started),
    ended: (answered: string | null) => setNow((old) => ended(old, answered)),
  };
};
