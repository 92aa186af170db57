import { useState } from 'react';

import { useLive } from '../../api/live.ts';
import type { LiveFrame } from '../../api/types.ts';

export type ImportFrame = Extract<LiveFrame, { kind: 'import' }>;

export const isOfProducts = (frame: LiveFrame): frame is ImportFrame => frame.kind === 'import' && frame.of === 'products';

/** The latest frame of each import, in the order in which the imports were first seen. */
const withFrames = (known: readonly ImportFrame[], frames: readonly ImportFrame[]): readonly ImportFrame[] => {
  const byId = new Map([...known, ...frames].map((frame) => [frame.id, frame]));
  return [...byId.values()];
};

/** The imports of this page: those before the last start, and the last one. */
interface Own {
  readonly before: readonly string[];
  /** What was seen before the last one started, which is not it. Null until one has started. */
  readonly seen: readonly string[] | null;
  /** The id of the last one, once its answer said it. */
  readonly id: string | null;
}

const idOf = ({ before, seen, id }: Own, frames: readonly ImportFrame[]): string | undefined =>
  id ?? (seen === null ? undefined : frames.find((frame) => !before.includes(frame.id) && !seen.includes(frame.id))?.id);

/**
 * How far the imports into a store are, on this page and elsewhere. The id of an import is that of its
 * request, which comes with the answer. Until then the first import that is new since the start is this
 * page's. A frame may come after the answer: streams and answers are not in one order.
 */
export const useImportFrames = (storeId: string) => {
  const [frames, setFrames] = useState<readonly ImportFrame[]>([]);
  const [own, setOwn] = useState<Own>({ before: [], seen: null, id: null });
  useLive(storeId, (all) => setFrames((known) => withFrames(known, all.filter(isOfProducts))));
  const ownId = idOf(own, frames);
  const isOther = ({ id, isDryRun }: ImportFrame): boolean => !isDryRun && id !== ownId && !own.before.includes(id);
  return {
    counts: frames.find(({ id }) => id === ownId) ?? null,
    other: frames.findLast(isOther) ?? null,
    started: () =>
      setOwn({ before: ownId === undefined ? own.before : [...own.before, ownId], seen: frames.map(({ id }) => id), id: null }),
    answered: (id: string | null) => setOwn((now) => ({ ...now, id })),
  };
};
