import type { AttemptOutcome } from '../webhooks/delivery.ts';

export interface WebhookRequest {
  readonly subscriptionId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookResponse extends AttemptOutcome {
  /** The address that was dialled, as text; null when none was, or a proxy dialled. */
  readonly address: string | null;
  /** At most 4 KiB of the body, as text that a database can hold; null when no response came. */
  readonly body: string | null;
  /** Whole milliseconds. */
  readonly durationMs: number;
}

export interface WebhookSender {
  /**
   * Posts once. Every address of the URL's host is judged, a literal one too, and the judged one is dialled; redirects are not followed. At most 16 KiB of the response is
   * read, all within the attempt's time. What goes wrong is an outcome; null when it was aborted before it ended.
   */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse | null>;
  /** Closes what is open. */
  close(): Promise<void>;
}
