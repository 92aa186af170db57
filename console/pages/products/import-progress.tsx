import { sizeText } from './catalogue-file.ts';
import type { ImportCounts, ImportState } from './use-import.ts';

const COUNTS = [
  ['read', 'Read'],
  ['created', 'Created'],
  ['updated', 'Updated or the same'],
  ['failed', 'Failed'],
] as const satisfies readonly (readonly [keyof ImportCounts, string])[];

/** What an import did so far. */
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
  readonly onCancel: () => void;
}

/** How far an import is: what was sent, and what was made of it. */
export const ImportProgress = ({ state: { file, sent, counts }, onCancel }: ProgressProps) => {
  const isSent = sent >= file.size;
  return (
    <section className="panel">
      <header>
        <h2>Importing {file.name}</h2>
        <button type="button" className="button small" onClick={onCancel}>
          Cancel the import
        </button>
      </header>
      <div className="body stack gap">
        <div className="stack">
          <progress className="progress" aria-label="Bytes sent" max={Math.max(file.size, 1)} value={sent} />
          <p className="mute num" role="status">
            {isSent
              ? `All ${sizeText(file.size)} have been sent. The server is saving the rest.`
              : `${sizeText(sent)} of ${sizeText(file.size)} sent`}
          </p>
        </div>
        <CountFigures counts={counts} />
      </div>
    </section>
  );
};
