import type { Sighting } from '../../insight/incidents.ts';

export interface IncidentSignals {
  /**
   * Returns a sighting of each kind that rows can tell. Shows at most `limit` signals of a kind, and says whether there
   * are more. Shows each active receiver whose last attempt failed, with its failed attempts in a row, the deliveries
   * that wait, at most 1000, and the error of one of them. Leaves
   * out those that the merchant paused. Shows each receiver that was deactivated in the last 7 days,
   * with the seconds since then and the reason. Leaves out the receivers of a store that is being erased. Shows each app
   * that was refused at least 10 times for one reason in the last 10 minutes, beside the average of such times in the
   * hour before. Shows refusals without an app as those of none. Shows each store with a delivery that can be sent and is
   * due for 60 seconds, with the seconds of the oldest and their number. Leaves out of these what waits for an earlier delivery of its
   * resource. Shows each
   * store whose last import of products failed, with the number of imports in the last 24 hours that failed since the last
   * one that did not. Shows each app with images that failed in
   * imports which ended in the last hour, with their number.
   */
  read(limit: number): Promise<readonly Sighting[]>;
}
