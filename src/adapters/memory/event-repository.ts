import { frozenBody } from '../../domain/event.ts';
import type { NewEvent } from '../../domain/event.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { EventRepository } from '../../domain/ports/event-repository.ts';
import type { Ids } from '../../domain/ports/ids.ts';
import { table } from './state.ts';
import type { MemoryState } from './state.ts';

export interface StoredEvent extends NewEvent {
  readonly id: string;
  readonly body: string;
}

export const eventRepository = (state: MemoryState, { clock, ids }: { clock: Clock; ids: Ids }): EventRepository => ({
  append: async (events) => {
    const rows = table<StoredEvent>(state, 'events');
    for (const event of events) {
      const id = ids.next();
      rows.set(id, { ...event, id, body: frozenBody(event, id, new Date(clock.now()).toISOString()) });
    }
  },
});
