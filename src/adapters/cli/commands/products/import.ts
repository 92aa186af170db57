import { basename } from 'node:path';
import { Readable } from 'node:stream';

import { NAME_CHARSET } from '../../../../domain/catalogue/product-import.ts';
import { plural } from '../../../../domain/values/plural.ts';
import type { LiveFrame, ImportReport } from '../../../http/answers.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { findStore } from '../../admin/find.ts';
import { framesOf, openLive } from '../../admin/live.ts';
import { adminCommand, type Session } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { choiceFlag, STORE_FLAG, switchFlag, textFlag } from '../../flags.ts';
import { showProgress } from '../../output/progress.ts';
import { plain } from '../../output/style.ts';
import { FORMATS, openCatalogue, type CatalogueFile } from './file.ts';

type ImportFrame = Extract<LiveFrame, { kind: 'import' }>;

interface LiveCounts {
  /** Latest progress; null when nothing is known. */
  latest(): ImportFrame | null;
  readonly ended: Promise<void>;
  close(): void;
}

/**
 * Follows the next import of products that begins in the store. The id of a request is a UUIDv7 and
 * comes with its answer, so until then the first import with a later id than this one's counts.
 * Without the live stream there are no counts, and the import is as good.
 */
const followImport = async (api: AdminApi, storeId: string): Promise<LiveCounts> => {
  const closing = new AbortController();
  const close = (): void => {
    closing.abort();
  };
  let latest: ImportFrame | null = null;
  const response = await openLive(api, storeId, closing.signal).catch(() => null);
  const since = response?.headers.get('x-request-id') ?? '';
  const isOurs = (frame: LiveFrame): frame is ImportFrame =>
    frame.kind === 'import' && frame.of === 'products' && (latest ? frame.id === latest.id : frame.id > since);
  const follow = async (): Promise<void> => {
    if (response === null) return;
    for await (const frame of framesOf(response)) {
      if (!isOurs(frame)) continue;
      latest = frame;
      if (frame.status !== 'Running') return;
    }
  };
  return { latest: () => latest, ended: follow().catch(() => undefined), close };
};

const SHOWN = 5;
/** For the server to notice that the upload has ended, and to say what it has saved. */
const LAST_WORD_MS = 3_000;

const AGAIN = 'Saved products are kept. Run the command again to import the rest: existing products are not created twice.';
const DRY = 'Nothing was written: this was a dry run.';

/** Counts the work of an import whose answer did not arrive. */
const doneBy = (live: LiveCounts, isDryRun: boolean): string => {
  if (isDryRun) return DRY;
  const counts = live.latest();
  if (counts === null) return `What the server had imported by then is saved. ${AGAIN}`;
  const each = (['created', 'updated', 'unchanged', 'failed'] as const).map(
    (name) => `${counts[name].toLocaleString('en')} ${name}`,
  );
  return `${each.join(', ')}. ${AGAIN}`;
};

interface Upload {
  readonly path: string;
  readonly file: CatalogueFile;
  readonly live: LiveCounts;
  readonly isDryRun: boolean;
}

/** Sends the file and shows how far it is. Throws a CommandFailure that says what is saved when it has no answer. */
const send = async ({ api, print, context }: Session, { path, file, live, isDryRun }: Upload): Promise<ImportReport> => {
  const signal = context.interrupted();
  const startedAt = performance.now();
  let bytes = 0;
  let mistake: unknown;
  let report: ImportReport | null = null;
  const counted = async function* () {
    try {
      for await (const chunk of file.bytes) {
        yield chunk;
        bytes += chunk.length;
      }
    } catch (error) {
      mistake = error;
      throw error;
    }
  };
  const read = () => ({ bytes, size: file.size, counts: report ?? live.latest(), elapsedMs: performance.now() - startedAt });
  const end = showProgress({ process: context.process, quiet: print.isQuiet, read });
  try {
    const body = Readable.toWeb(Readable.from(counted(), { objectMode: false })) as ReadableStream;
    const headers = { 'content-type': file.contentType };
    const response = await api.send(path, { method: 'POST', headers, body, signal });
    report = (await response.json()) as ImportReport;
    return report;
  } catch (error) {
    if (mistake instanceof CommandFailure) throw mistake;
    const timer = setTimeout(live.close, LAST_WORD_MS);
    await live.ended;
    clearTimeout(timer);
    if (signal.aborted) throw new CommandFailure(`Stopped. ${doneBy(live, isDryRun)}`, EXIT.interrupted);
    if (!(error instanceof CommandFailure) || error.status !== EXIT.unreachable) throw error;
    throw new CommandFailure(`The connection to the server was lost. ${doneBy(live, isDryRun)}`, EXIT.unreachable);
  } finally {
    end();
    live.close();
    file.close();
  }
};

/** The server says it for every way to send a file. */
const wordsOf = (message: string): string =>
  plain(message).replace(NAME_CHARSET, 'If the file has another charset, name it, for example --charset windows-1252.');

const listed = (kind: string, of: ImportReport['errors'], total: number): readonly string[] => [
  ...of.slice(0, SHOWN).map(({ line, message }) => `${kind} line ${String(line)}: ${wordsOf(message)}`),
  ...(total > SHOWN ? [`... and ${(total - SHOWN).toLocaleString('en')} more.`] : []),
];

const unfinished = ({ ended, wouldRemove, errors: [first] }: ImportReport, path: string): string => {
  const reason = wordsOf(first?.message ?? '');
  const file = path === '-' ? 'standard input' : path;
  if (ended === 'refused' && wouldRemove) return reason;
  return ended === 'refused' ? `Nothing from ${file} was imported. ${reason}` : reason;
};

/** The figures say what was done, or would be. A dry run has them even if the import would be refused for what it removes. */
const hasFigures = ({ ended, wouldRemove }: ImportReport, isDryRun: boolean): boolean =>
  ended !== 'refused' || (isDryRun && wouldRemove !== null);

/** Leaves out removals of 0. */
const figuresOf = (counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(counts).filter(([name, count]) => count > 0 || !name.endsWith('Removed')));

interface Flags {
  readonly dryRun?: boolean | undefined;
  readonly allowRemovals?: boolean | undefined;
}

/** Standard input has no name. */
const queryOf = (path: string, { dryRun, allowRemovals }: Flags): URLSearchParams =>
  new URLSearchParams({
    ...(dryRun && { dryRun: '1' }),
    ...(allowRemovals && { allowRemovals: '1' }),
    ...(path !== '-' && { fileName: basename(path) }),
  });

export const importProducts = adminCommand({
  docs: {
    brief: 'Import products from a file',
    about:
      'The file is a Shopify product export (CSV) or has one product document per line (NDJSON), of any size; docs/import.md describes both. ' +
      'A product with an invalid row stays as it is, and does not stop the import. Notes list what was not imported exactly as in the file, and what was removed. ' +
      'A file that would remove more than ten variants and more than a tenth of those of its products is not imported without --allow-removals. ' +
      'Exits 1 if products failed, if the file could not be read, or if the import was stopped before the end of the file. ' +
      'Ctrl-C stops the import: saved products are kept, and importing the same file again imports the rest.',
    examples: [
      'tenon products import examples/sample-catalogue.csv',
      'tenon products import products.ndjson --report failed.csv',
      'tenon products import products.csv --dry-run',
      'tenon products import excel.csv --charset windows-1252',
      'zcat products.csv.gz | tenon products import - --format csv',
    ],
  },
  flags: {
    store: STORE_FLAG,
    format: { ...choiceFlag(FORMATS, 'Format of the file, by default that of its extension'), optional: true },
    charset: textFlag('Charset of the file, such as windows-1252; by default UTF-8, or that of its byte-order mark', 'name'),
    dryRun: switchFlag('Write nothing, and report what the import would do'),
    allowRemovals: switchFlag('Import also a file that removes more than ten variants and a tenth of those of its products'),
    report: textFlag('Write the failed rows to this CSV file, with line and message', 'file'),
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'file', brief: 'File to import; - is standard input' }],
  },
  run: async (session, flags, path) => {
    const { api, print, context } = session;
    const file = await openCatalogue(path, context.process.stdin, flags);
    const { checkReportFile, writeReportFile } = await import('./report-file.ts');
    if (flags.report !== undefined) await checkReportFile(flags.report, path);
    const { id } = await findStore(api, flags.store);
    const isDryRun = flags.dryRun === true;
    const query = queryOf(path, flags);
    const live = await followImport(api, id);
    const report = await send(session, { path: `/stores/${id}/products/import?${String(query)}`, file, live, isDryRun });
    const { errors, notes, ended, nextLine: _, wouldRemove: __, ...counts } = report;
    if (flags.report !== undefined) await writeReportFile(flags.report, report);
    print.one(report, hasFigures(report, isDryRun) ? figuresOf(counts) : {});
    if (isDryRun) print.say(DRY);
    for (const line of listed('Note for', notes, notes.length)) print.say(line);
    if (ended !== 'complete') throw new CommandFailure(unfinished(report, path));
    if (counts.failed === 0) return;
    const inFile = flags.report === undefined ? '' : ` ${flags.report} lists ${errors.length.toLocaleString('en')} of them.`;
    const failed = `${counts.failed.toLocaleString('en')} of ${plural(counts.read, 'product')} failed.${inFile}`;
    throw new CommandFailure([failed, ...listed(' ', errors, counts.failed)].join('\n'));
  },
});
