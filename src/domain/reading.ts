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
