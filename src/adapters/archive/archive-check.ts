import type { Footer, ArchiveManifest } from './manifest.ts';
import { digestOf, type TableDigest } from './table-digest.ts';

/** Follows the entries of an archive, and compares them with its footer. Each method gives what is wrong, or null. */
export interface ArchiveCheck {
  rows(table: string, bytes: Buffer): string | null;
  media(): string | null;
  footer(footer: Footer): string | null;
  isEnded(): boolean;
}

export const checkArchive = (manifest: ArchiveManifest, manifestDigest: string): ArchiveCheck => {
  const digests = manifest.tables.map(({ name }): TableDigest => digestOf(name));
  let at = 0;
  let media = 0;
  let isEnded = false;

  return {
    rows: (table, bytes) => {
      const found = digests.findIndex((digest, index) => index >= at && digest.table === table);
      if (found === -1 || media > 0 || isEnded) return `rows of ${table} are not where they belong`;
      at = found;
      digests[at]?.add(bytes);
      return null;
    },
    media: () => {
      media += 1;
      return isEnded || !manifest.media ? 'a media file is not where it belongs' : null;
    },
    footer: (footer) => {
      if (isEnded) return 'it has two ends';
      isEnded = true;
      if (footer.manifest !== manifestDigest) return 'its manifest was changed';
      if (footer.media !== media) return `it has ${media} of ${footer.media} media files`;
      const figures = digests.map((digest) => digest.figures());
      const wrong = figures.find((figure, index) => JSON.stringify(figure) !== JSON.stringify(footer.tables[index]));
      if (wrong !== undefined) return `the rows of ${wrong.name} are not those that were written`;
      return footer.tables.length === figures.length ? null : 'tables are missing';
    },
    isEnded: () => isEnded,
  };
};
