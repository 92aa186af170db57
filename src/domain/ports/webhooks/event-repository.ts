import type { NewEvent } from '../../webhooks/event.ts';

export interface EventRepository {
  /**
   * Records the events in the given order, each with its frozen body. Returns their ids in that
   * order. Leaves each event waiting for its fan-out. Writes nothing for an event whose id the
   * store already has. Writes nothing for an empty list. Keeps the
   * id of the request that is the cause. Keeps the trace of that request.
   */
  append(events: readonly NewEvent[]): Promise<readonly string[]>;
}
