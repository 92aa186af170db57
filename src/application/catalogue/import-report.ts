import {
  type FoundProduct,
  type ImportNote,
  MAX_REPORTED,
  MAX_USELESS,
  NO_COUNTS,
  uselessFile,
  type ImportFault,
  type ImportItem,
  type ImportProgress,
  type ImportReport,
  type UnreadProduct,
} from '../../domain/catalogue/product-import.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { removalNote, removesMuch, removesMuchMessage, type RemovalCounts } from '../../domain/catalogue/removals.ts';
import { plural } from '../../domain/values/plural.ts';
import { shortened } from '../../domain/values/text.ts';
import type { SavedProduct, SaveResult } from './save-products.ts';

const MAX_SHOWN = 60;

interface Seen {
  count: number;
  line: number;
  example: string;
}

const nothing = (): Seen => ({ count: 0, line: 0, example: '' });

const isForNothing = ({ status, variants }: Product): boolean =>
  status === 'Active' && variants.some(({ price, isDeleted }) => price === 0 && !isDeleted);

/** Counts, for the whole file, what is worth a note of its saved products. */
class SavedNotes {
  private readonly handles = nothing();
  private readonly free = nothing();

  add({ line, document }: FoundProduct, { product, outcome }: SavedProduct): void {
    const given = document.slug?.trim();
    if (given && product.slug !== null && given !== product.slug) {
      const example = `${JSON.stringify(shortened(given, MAX_SHOWN))} as ${shortened(product.slug, MAX_SHOWN)}`;
      this.see(this.handles, line, example);
    }
    if (outcome !== 'unchanged' && isForNothing(product)) this.see(this.free, line, product.slug ?? product.id);
  }

  all(): ImportNote[] {
    const { handles, free } = this;
    const messages = [
      ...(handles.count === 0
        ? []
        : [
            `Handles are kept in another form: ${plural(handles.count, 'handle')}, such as ${handles.example}. ${this.first(handles)}`,
          ]),
      ...(free.count === 0
        ? []
        : [
            `Active products have a variant with the price 0: ${plural(free.count, 'product')}, such as ${free.example}. ${this.first(free)}`,
          ]),
    ];
    return messages.map((message) => ({ line: 1, message }));
  }

  private see(seen: Seen, line: number, example: string): void {
    seen.count += 1;
    seen.line ||= line;
    seen.example ||= example;
  }

  private first({ line }: Seen): string {
    return `The first is in line ${String(line)}.`;
  }
}

export const isFound = (item: ImportItem): item is FoundProduct => 'document' in item;

const STOPPED_BY = { server: 'The server stopped.', access: 'Your access to the store ended.' } as const;

const stoppedBefore = (line: number, by: keyof typeof STOPPED_BY): string =>
  `${STOPPED_BY[by]} What comes before line ${line} is done, and the rest of the file was not read. ` +
  'Send the same file again: what is imported already does not change.';

export class ReportBuilder {
  private readonly counts = { ...NO_COUNTS };
  private readonly errors: ImportFault[] = [];
  private readonly notes: ImportNote[] = [];
  private readonly fileNotes: ImportNote[] = [];
  private readonly saved = new SavedNotes();
  /** Reason why the file was not read to its end. */
  private end: { readonly how: 'refused' | 'stopped'; readonly error: ImportFault } | null = null;
  private nextLine = 1;
  private ofVariants = 0;
  private wouldRemove: RemovalCounts | null = null;

  /** `results` are those of the batch's documents, in their order. */
  add(batch: readonly ImportItem[], results: readonly SaveResult[]): void {
    let index = 0;
    for (const item of batch) {
      if ('about' in item) {
        this.fileNotes.push(item.about);
        continue;
      }
      this.nextLine = item.nextLine ?? item.line + 1;
      if (!isFound(item)) this.failAs(item);
      else {
        const result = results[index];
        index += 1;
        if (result?.ok) this.save(item, result.value);
        else if (result) this.fail({ line: item.line, message: result.message });
      }
    }
    const { read, failed } = this.counts;
    if (read === failed && failed >= MAX_USELESS) this.endBy('refused', uselessFile(this.nextLine));
  }

  /** The server stops before the end of the file, or the access of who sends it has ended. */
  stop(by: keyof typeof STOPPED_BY): void {
    this.endBy('stopped', stoppedBefore(this.nextLine, by));
  }

  /** Refuses a file that would remove much. */
  judge(removals: RemovalCounts): void {
    if (this.end !== null || !removesMuch(removals)) return;
    this.wouldRemove = removals;
    this.endBy('refused', removesMuchMessage(removals));
  }

  removals(): RemovalCounts {
    const { variantsRemoved: variants, imagesRemoved: images, stockRemoved: stock } = this.counts;
    return { variants, ofVariants: this.ofVariants, images, stock };
  }

  progress(): ImportProgress {
    return { ...this.counts, nextLine: this.nextLine };
  }

  failures(): readonly ImportFault[] {
    return this.errors;
  }

  /** True when the rest of the file is not read. */
  hasEnded(): boolean {
    return this.end !== null;
  }

  whole(): ImportReport {
    const { counts, end, errors, fileNotes, notes, nextLine } = this;
    const others = errors.filter((error) => error !== end?.error);
    return {
      ...counts,
      ended: end?.how ?? 'complete',
      nextLine: end?.how === 'stopped' ? nextLine : null,
      wouldRemove: this.wouldRemove,
      errors: [...(end ? [end.error] : []), ...others].slice(0, MAX_REPORTED),
      notes: [...fileNotes, ...this.saved.all(), ...notes].slice(0, MAX_REPORTED),
    };
  }

  private endBy(how: 'refused' | 'stopped', message: string): void {
    this.end ??= { how, error: this.fail({ line: this.nextLine, message }) };
  }

  private failAs({ line, message, refusesFile }: UnreadProduct): void {
    const error = this.fail({ line, message });
    if (refusesFile) this.end = { how: 'refused', error };
  }

  private fail(error: ImportFault): ImportFault {
    this.counts.read += 1;
    this.counts.failed += 1;
    if (this.errors.length < MAX_REPORTED) this.errors.push(error);
    return error;
  }

  private save(item: FoundProduct, saved: SavedProduct): void {
    const { line, notes = [] } = item;
    const { outcome, removals } = saved;
    this.counts.read += 1;
    this.counts[outcome] += 1;
    this.saved.add(item, saved);
    this.note(notes);
    if (removals === undefined) return;
    this.ofVariants += removals.ofVariants;
    this.counts.variantsRemoved += removals.variants.length;
    this.counts.imagesRemoved += removals.images.length;
    this.counts.stockRemoved += removals.stock;
    const message = removalNote(removals);
    if (message !== null) this.note([{ line, message }]);
  }

  private note(notes: readonly ImportNote[]): void {
    this.notes.push(...notes.slice(0, MAX_REPORTED - this.notes.length));
  }
}
