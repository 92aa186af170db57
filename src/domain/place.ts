/** The place of an entry in a list that is newest first: its time in milliseconds, then its id. */
export interface Place {
  readonly at: number;
  readonly id: string;
}
