import type { BacklogState } from '../../webhooks/backlog.ts';

export interface Backlog {
  /**
   * Counts the deliveries of the store that are due now, at most `limit`. Names the one that has
   * been due for the longest time, with its seconds. Counts the deliveries that are held, at most
   * `limit` of each reason. Leaves out reasons without a delivery. Leaves out deliveries that wait
   * for their next attempt. Returns null when the store does not exist.
   */
  read(storeId: string, limit: number): Promise<BacklogState | null>;
}
