/**
 * The line of each product in an imported file, by the product's id. A file may have millions of
 * products. The ids are spread over several maps, so that none takes long to grow or reaches the
 * size limit of a Map.
 */
export class ImportedLines {
  private readonly shards = new Map<string, Map<string, number>>();

  /** Undefined when no line so far has the product. */
  lineOf(id: string): number | undefined {
    return this.shards.get(id.slice(-2))?.get(id);
  }

  add(id: string, line: number): void {
    const end = id.slice(-2);
    const shard = this.shards.get(end) ?? new Map<string, number>();
    this.shards.set(end, shard.set(id, line));
  }
}
