/** A body that is sent as it stands: ready JSON text from SQL, or a stream. */
export class Raw {
  constructor(
    readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>,
    readonly contentType = 'application/json; charset=utf-8',
  ) {}
}

/** JSON text that is sent as it stands. Its `returns` schema describes it in the OpenAPI document. */
export const jsonText = (text: string): Raw => new Raw(text);

/** A response as a handler may give it: what use cases answer is readonly all the way down. */
export type Answer<T> = T extends readonly (infer E)[]
  ? readonly Answer<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Answer<T[K]> }
    : T;

/** What a handler answers with: the value that the route declares, or ready bytes of it. */
export interface Success<T> {
  readonly ok: true;
  readonly value: T | Raw;
}
