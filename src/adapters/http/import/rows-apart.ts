import { normaliseSlug } from '../../../domain/catalogue/slug.ts';

const MAX_LINES = 10;

export const apartMessage = (lines: readonly number[]): string => {
  const shown = lines.slice(0, MAX_LINES).map((line) => line.toLocaleString('en'));
  const more = lines.length > MAX_LINES ? ` and ${(lines.length - MAX_LINES).toLocaleString('en')} more` : '';
  const last = more === '' ? ` and ${shown.pop() ?? ''}` : '';
  return `The rows of this product are apart: they begin in lines ${shown.join(', ')}${last}${more}. Sort the file by Handle.`;
};

/**
 * Finds the beginnings of each product's rows. They may begin again at another place, which only
 * the whole file shows.
 */
export class RowsApart {
  /** The first lines by slug. Spread over several maps, as a file may have millions of products. */
  private readonly shards = new Map<string, Map<string, number>>();
  private readonly apart = new Map<string, number[]>();
  private isWhole = false;

  /** Notes where rows of the handle begin. Returns the line where others did. */
  add(handle: string, line: number): number | null {
    if (this.isWhole || handle === '') return null;
    const slug = normaliseSlug(handle) ?? handle;
    const end = slug.slice(-2);
    const shard = this.shards.get(end) ?? new Map<string, number>();
    const first = shard.get(slug);
    if (first === undefined) {
      this.shards.set(end, shard.set(slug, line));
      return null;
    }
    const lines = this.apart.get(slug);
    if (lines) lines.push(line);
    else this.apart.set(slug, [first, line]);
    return first;
  }

  /** The whole file was read: from now on, it is known which rows are apart. */
  end(): void {
    this.isWhole = true;
    this.shards.clear();
  }

  get hasAny(): boolean {
    return this.apart.size > 0;
  }

  /**
   * Returns the first lines of the handle's rows. Null where they are together, or where the file
   * is being read.
   */
  linesOf(handle: string): readonly number[] | null {
    if (!this.isWhole || this.apart.size === 0) return null;
    return this.apart.get(normaliseSlug(handle) ?? handle) ?? null;
  }
}
