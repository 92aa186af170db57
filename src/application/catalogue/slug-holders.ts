type Changes = ReadonlyMap<string, string | null>;

/** Finds the product with a slug: as stored, after the decisions since then. */
export class SlugHolders {
  private readonly decided = new Map<string, string | null>();

  /** `earlier` is what a dry run has decided and not stored. */
  constructor(
    private readonly stored: ReadonlyMap<string, string>,
    private readonly earlier: Changes = new Map(),
  ) {}

  get(slug: string): string | undefined {
    const known = this.decided.get(slug) ?? (this.decided.has(slug) ? null : this.earlier.get(slug));
    return known === undefined ? this.stored.get(slug) : (known ?? undefined);
  }

  set(slug: string, id: string): void {
    this.decided.set(slug, id);
  }

  release(slug: string): void {
    this.decided.set(slug, null);
  }

  /** Null is a slug that its product gave up. */
  changes(): Changes {
    return this.decided;
  }
}
