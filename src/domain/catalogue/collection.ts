/** A list of products in the merchant's order. */
export interface Collection {
  readonly id: string;
  readonly title: string;
  readonly handle: string | null;
  readonly productIds: readonly string[];
}

export interface CollectionDocument {
  readonly title: string;
  readonly handle?: string | null | undefined;
  readonly productIds: readonly string[];
}
