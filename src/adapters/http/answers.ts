// The answers of the admin API as types, for its clients in this repository: the console and the command line.
export type * from './catalogue/answers.ts';
export type * from './idempotency/answers.ts';
export type * from './identity/answers.ts';
export type * from './insight/answers.ts';
export type * from './media/answers.ts';
export type * from './webhooks/answers.ts';

/** A list with `?skip&take`. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly skip: number;
  readonly take: number;
  readonly total: number;
}

/** A page of a list by creation. */
export interface ListPage<T> extends Page<T> {
  readonly next: string | null;
}
