/** The largest part of a response that is returned, in bytes. */
export const MAX_TRIAL_BYTES = 1_048_576;

export interface TrialRequest {
  readonly domain: string;
  readonly method: string;
  /** With its query. Its caller checked that it is of the app API. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}
