/** A list of products that the merchant puts in order. Times are ISO 8601. */
export interface Collection {
  readonly id: string;
  readonly title: string;
  readonly handle: string | null;
  /** In their order. */
  readonly productIds: readonly string[];
}

export interface CollectionDocument {
  readonly title: string;
  readonly handle?: string | null | undefined;
  readonly productIds: readonly string[];
}
