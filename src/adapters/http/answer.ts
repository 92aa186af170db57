import type { JsonDocument } from '../../domain/reading.ts';
import type { MediaStorage } from '../../domain/ports/media/media-storage.ts';
import type { JudgedParts } from './judged-parts.ts';
import type { LiveReader } from './live/live-reader.ts';

export interface StreamOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds without a byte after which the receiver is disconnected. Without it, nobody is. */
  readonly stallSeconds?: number;
  /** Compressed where the receiver accepts it. */
  readonly isCompressible?: boolean;
}

/** A long answer ends when the access of its reader does: its parts are judged, and so are the sessions of live readers. */
export type LongBody = JudgedParts | LiveReader;

export class Raw {
  constructor(
    readonly body: string | Uint8Array | LongBody,
    readonly contentType = 'application/json; charset=utf-8',
    readonly streamed: StreamOptions = {},
  ) {}
}

export const jsonText = (text: string): Raw => new Raw(text);

export class Tagged {
  constructor(readonly document: JsonDocument) {}
}

/** To another page, by the browser of a visitor. */
export class Redirect {
  constructor(readonly location: string) {}
}

export type Answer<T> = T extends readonly (infer E)[]
  ? readonly Answer<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Answer<T[K]> }
    : T;

/**
 * A file of the media storage: it is sent whole, in a range, or not at all, as the conditions of
 * the request say.
 */
export class FileBody {
  readonly storage: MediaStorage;
  readonly key: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ storage, key, etag, headers }: Pick<FileBody, 'storage' | 'key' | 'etag' | 'headers'>) {
    [this.storage, this.key, this.etag, this.headers] = [storage, key, etag, headers];
  }
}

/** A handler answers with the value that the route declares, ready bytes of it, or a file. */
export interface Success<T> {
  readonly ok: true;
  readonly value: T | Raw | Tagged | FileBody;
  /** The tag of the value, without the quotes. A reader who has it is answered 304. */
  readonly etag?: string;
  /** Status named with `orReturns`, where it is not the route's. */
  readonly status?: number;
}
