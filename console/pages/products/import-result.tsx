import { Link } from '@tanstack/react-router';

import { Download } from '../../icons/index.ts';
import { Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { saveAs } from './catalogue-file.ts';
import { CountFigures } from './import-progress.tsx';
import { plural } from '../../parts/plural.ts';
import { csvOf } from './report-lines.ts';
import { isGood, isOfUse, removalsText, removedList, titleOf } from './import-words.ts';
import type { ImportReport } from '../../api/types.ts';

/** More are in the file that can be downloaded. */
const SHOWN = 100;

type Lines = ImportReport['errors'];

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

/** Why the file was not read to its end, or what to do now. */
const noteOf = ({ failed, ended, errors, wouldRemove }: ImportReport, isDryRun: boolean): string | undefined => {
  // The server's message is of an import, which has done what comes before.
  if (isDryRun && ended === 'stopped') return 'The rest of the file was not read. Nothing was written.';
  if (wouldRemove !== null) return removalsText(wouldRemove);
  if (ended !== 'complete') return errors[0]?.message;
  if (isDryRun) return 'Nothing was written.';
  return failed > 0
    ? 'The products of the lines that failed are as they were. Fix the lines and import the file again: what is there already does not change.'
    : undefined;
};

interface ResultProps {
  readonly storeId: string;
  readonly report: ImportReport;
  readonly isDryRun: boolean;
  /** Imports the same file. */
  readonly onImport: (allowsRemovals: boolean) => void;
  readonly onAgain: () => void;
}

/** Shows the result of an import, and the lines that it could not read. */
export const ImportResult = ({ storeId, report, isDryRun, onImport, onAgain }: ResultProps) => {
  const { failed, errors, notes, wouldRemove } = report;
  const removed = removedList(report);
  return (
    <>
      <Notice tone={isGood(report) ? 'ok' : 'warn'} title={titleOf(report, isDryRun)}>
        {noteOf(report, isDryRun)}
        <div className="row">
          {wouldRemove !== null ? (
            <button type="button" className="button small danger" onClick={() => onImport(true)}>
              Import it, and remove {plural(wouldRemove.variants, 'variant')}
            </button>
          ) : isDryRun ? (
            <button type="button" className="button small primary" onClick={() => onImport(false)} disabled={!isOfUse(report)}>
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
      {removed !== null && (
        <p>
          {isDryRun ? 'Would remove' : 'Removed'} {removed}.
        </p>
      )}
      <LinesPanel
        title={failed > errors.length ? `The first ${errors.length.toLocaleString()} failures` : 'Failures'}
        lines={errors}
        fileName="import-failures.csv"
      />
      <LinesPanel
        title={isDryRun ? 'Would be imported, but not exactly as in the file' : 'Imported, but not exactly as in the file'}
        lines={notes}
        fileName="import-notes.csv"
      />
    </>
  );
};
