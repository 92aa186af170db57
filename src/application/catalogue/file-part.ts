import type { ImportedLines } from '../../domain/catalogue/imported-lines.ts';

/** Some consecutive documents of an imported file. */
export interface FilePart {
  /** The line of each document. */
  readonly lines: readonly number[];
  /** Called when all documents are decided: from then on mostly the database works. */
  readonly onDecided?: () => void;
  /**
   * What earlier parts of the file had. The products of this part are added when they are saved.
   */
  readonly file: {
    readonly imported: ImportedLines;
    /**
     * The products with a former slug that the file has named. By that slug, another document means
     * another product.
     */
    readonly met: Set<string>;
  };
}
