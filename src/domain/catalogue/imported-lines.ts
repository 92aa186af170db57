/**
 * Which line of an imported file has each product, by the product's id. A file may have millions of products, so the ids are spread over several
 * maps: growing one of them never takes long, and no map reaches the size that a Map can have.
 */
export class ImportedLines {
  private readonly shards = new Map<string, Map<string, number>>();

  /** The line that has the product; undefined when none so far. */
  lineOf(id: string): number | undefined {
    return this.shards.get(id.slice(-2))?.get(id);
  }

  add(id: string, line: number): void {
    const end = id.slice(-2);
    const shard = this.shards.get(end) ?? new Map<string, number>();
    this.shards.set(end, shard.set(id, line));
  }
}
