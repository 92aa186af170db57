import type { ImportedLines } from '../../domain/catalogue/imported-lines.ts';
import type { Unsaved } from './unsaved.ts';

export interface FilePart {
  readonly lines: readonly number[];
  /** Called when all documents are decided: from then on mostly the database works. */
  readonly onDecided?: () => void;
  readonly file: {
    readonly imported: ImportedLines;
    /**
     * The products with a former slug that the file has named. By that slug, another document means
     * another product.
     */
    readonly renamed: Set<string>;
    /** Set for a dry run, which decides and writes nothing. */
    readonly unsaved?: Unsaved | undefined;
  };
}
