import { Link } from '@tanstack/react-router';

import { Download } from '../../icons/index.ts';
import { Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { saveAs } from './catalogue-file.ts';
import { CountFigures } from './import-progress.tsx';
import type { ImportReport } from '../../api/types.ts';

/** More are in the file that can be downloaded. */
const SHOWN = 100;

type Lines = ImportReport['errors'];

const csvOf = (lines: Lines): string =>
  ['line,message', ...lines.map(({ line, message }) => `${line},"${message.replaceAll('"', '""')}"`)].join('\n');

interface LinesPanelProps {
  readonly title: string;
  readonly lines: Lines;
  readonly fileName: string;
}

const LinesPanel = ({ title, lines, fileName }: LinesPanelProps) => {
  if (lines.length === 0) return null;
  return (
    <Panel
      title={title}
      isFlush
      actions={
        <button type="button" className="button small" onClick={() => saveAs(fileName, 'text/csv', csvOf(lines))}>
          <Download size={14} aria-hidden /> Download all {lines.length.toLocaleString()}
        </button>
      }
    >
      <Table
        label={title}
        rows={lines.slice(0, SHOWN).map((line, index) => ({ ...line, index }))}
        keyOf={({ index }) => String(index)}
        columns={[
          { name: 'Line', kind: 'num', cell: ({ line }) => line.toLocaleString() },
          { name: 'What is wrong', cell: ({ message }) => <span className="wrap">{message}</span> },
        ]}
      />
      {lines.length > SHOWN && (
        <p className="body mute">
          The first {SHOWN} of {lines.length.toLocaleString()} are shown.
        </p>
      )}
    </Panel>
  );
};

const dryTitleOf = ({ read, failed, ended }: ImportReport): string => {
  if (ended === 'refused') return 'Dry run: nothing from the file would be imported';
  if (failed === 0) return `Dry run: all ${read.toLocaleString()} products would be imported`;
  return `Dry run: ${(read - failed).toLocaleString()} of ${read.toLocaleString()} products would be imported`;
};

const titleOf = ({ read, failed, ended }: ImportReport): string => {
  if (ended === 'refused') return 'Nothing from the file was imported';
  if (ended === 'stopped') return 'The server stopped before the end of the file';
  if (read === 0) return 'The file has no products';
  if (failed === 0) return `All ${read.toLocaleString()} products imported`;
  return `${(read - failed).toLocaleString()} of ${read.toLocaleString()} products imported`;
};

/** Why the file was not read to its end, or what to do now. */
const noteOf = ({ failed, ended, errors }: ImportReport, isDryRun: boolean): string | undefined => {
  if (ended !== 'complete') return errors[0]?.message;
  if (isDryRun) return 'Nothing was written.';
  return failed > 0
    ? 'The lines that failed were skipped. Fix them and import the file again: what is there already does not change.'
    : undefined;
};

interface ResultProps {
  readonly storeId: string;
  readonly report: ImportReport;
  /** Imports the file of a dry run; null after an import. */
  readonly onImport: (() => void) | null;
  readonly onAgain: () => void;
}

/** What an import did, and the lines that it could not read. */
export const ImportResult = ({ storeId, report, onImport, onAgain }: ResultProps) => {
  const { read, failed, ended, errors, notes } = report;
  return (
    <>
      <Notice tone={failed === 0 && read > 0 ? 'ok' : 'warn'} title={onImport ? dryTitleOf(report) : titleOf(report)}>
        {noteOf(report, onImport !== null)}
        <div className="row">
          {onImport ? (
            <button type="button" className="button small primary" onClick={onImport} disabled={ended === 'refused'}>
              Import it now
            </button>
          ) : (
            <Link to="/stores/$storeId/products" params={{ storeId }} className="button small">
              Open the catalogue
            </Link>
          )}
          <button type="button" className="button small" onClick={onAgain}>
            Choose another file
          </button>
        </div>
      </Notice>
      <CountFigures counts={report} />
      <LinesPanel
        title={failed > errors.length ? `The first ${errors.length.toLocaleString()} failures` : 'Failures'}
        lines={errors}
        fileName="import-failures.csv"
      />
      <LinesPanel
        title={onImport ? 'Would be imported, but not exactly as in the file' : 'Imported, but not exactly as in the file'}
        lines={notes}
        fileName="import-notes.csv"
      />
    </>
  );
};
