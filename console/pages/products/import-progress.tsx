import { sizeText } from './catalogue-file.ts';
import { partDone } from './import-lines.ts';
import type { ImportFrame } from './use-import-frames.ts';
import type { ImportCounts, ImportState } from './use-import.ts';

const COUNTS = [
  ['read', 'Read'],
  ['created', 'Created'],
  ['updated', 'Updated'],
  ['unchanged', 'Unchanged'],
  ['failed', 'Failed'],
] as const satisfies readonly (readonly [keyof ImportCounts, string])[];

export const CountFigures = ({ counts }: { readonly counts: ImportCounts | null }) => (
  <dl className="figures panel">
    {COUNTS.map(([name, title]) => (
      <div key={name} className="figure">
        <dt>{title}</dt>
        <dd className={name === 'failed' && counts !== null && counts.failed > 0 ? 'tone-bad' : undefined}>
          {counts === null ? '–' : counts[name].toLocaleString()}
        </dd>
      </div>
    ))}
  </dl>
);

interface ProgressProps {
  readonly state: Extract<ImportState, { phase: 'running' }>;
  readonly counts: ImportFrame | null;
  readonly onCancel: () => void;
}

/** How far an import is: what was sent, and what was made of it. */
export const ImportProgress = ({ state: { file, isDryRun, sent, lines }, counts, onCancel }: ProgressProps) => {
  const isSent = sent >= file.size;
  return (
    <section className="panel">
      <header>
        <h2>
          {isDryRun ? 'Dry run of' : 'Importing'} {file.name}
        </h2>
        <button type="button" className="button small" onClick={onCancel}>
          {isDryRun ? 'Cancel the dry run' : 'Cancel the import'}
        </button>
      </header>
      <div className="body stack gap">
        <div className="stack">
          <progress className="progress" aria-label="Lines that are done" {...partDone(lines, counts)} />
          <p className="mute num" role="status">
            {isSent
              ? `All ${sizeText(file.size)} have been sent. The server is working on the rest.`
              : `${sizeText(sent)} of ${sizeText(file.size)} sent`}
          </p>
        </div>
        <CountFigures counts={counts} />
      </div>
    </section>
  );
};

/** An import that another window, or the command line, does in the store. */
export const OtherImport = ({ frame }: { readonly frame: ImportFrame }) => (
  <section className="panel">
    <header>
      <h2>{frame.status === 'Running' ? 'Another import is running' : 'Another import has ended'}</h2>
    </header>
    <div className="body">
      <CountFigures counts={frame} />
    </div>
  </section>
);
