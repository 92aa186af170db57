import type { NewEvent } from '../webhooks/event.ts';

export interface EventRepository {
  /** Records the events with their frozen bodies, in the order given, each to be fanned out, and answers their ids in that order. An event whose id its store already has writes nothing. An empty list writes nothing. */
  append(events: readonly NewEvent[]): Promise<readonly string[]>;
}
