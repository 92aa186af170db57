import type { NewEvent } from '../event.ts';

export interface EventRepository {
  /** Records the events with their frozen bodies, in the order given. An empty list writes nothing. */
  append(events: readonly NewEvent[]): Promise<void>;
}
