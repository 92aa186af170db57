import type { Forked } from './fork.ts';
import type { PrimaryChannel } from './protocol.ts';

export interface ProcessPlace {
  readonly number: number;
  process: { readonly forked: Forked; readonly channel: PrimaryChannel } | null;
  url: string | null;
  listenedAt: number;
  reason: string | null;
  early: number;
  timer?: NodeJS.Timeout;
}

export const emptyPlace = (number: number): ProcessPlace => ({
  number,
  process: null,
  url: null,
  listenedAt: 0,
  reason: null,
  early: 0,
});
