import type { Notice } from '../../insight/incident-message.ts';
import type { NoticeChannel } from '../../insight/notice-rules.ts';

export interface IncidentNotices {
  /**
   * Takes at most `limit` notices of the channel that are due, the oldest first. Begins with a wait of 10 seconds after
   * they were written. Takes none within 60 seconds after a take of the same channel, also when two nodes take at once.
   * Takes one again that was not sent, after a wait that doubles from 60 seconds to an hour. Takes none that was written
   * more than 24 hours ago. Shows each incident as it is now.
   */
  take(channel: NoticeChannel, limit: number): Promise<readonly Notice[]>;
  /** Notes that they were sent: they are not taken again. */
  sent(channel: NoticeChannel, notices: readonly Notice[]): Promise<void>;
}
