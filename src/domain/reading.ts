/** A JSON document in UTF-8. Two that have the same tag have the same bytes. */
export interface JsonDocument {
  /** Entity tag without the quotes. */
  readonly tag: string;
  /** Null where the reader has the bytes of this tag. */
  readonly bytes: Uint8Array | null;
}

export interface Reading {
  /**
   * The version of the document that was looked up since the request began. Null where there was no
   * such document. Undefined where nothing was looked up.
   */
  readonly version?: string | null | undefined;
  /** Returns true for a tag whose bytes the reader has. By default it has no bytes. */
  readonly has?: (tag: string) => boolean;
}

/** Judges a write by the entity tag of what it changes, as that is when the write comes to its turn. Null is what does not exist. */
export type Precondition = (tag: string | null) => boolean;
