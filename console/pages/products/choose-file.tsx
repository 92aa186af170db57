import { useState, type DragEvent } from 'react';

import { Upload } from '../../icons/index.ts';
import { Select } from '../../parts/field.tsx';
import { ACCEPT, saveAs } from './catalogue-file.ts';
import { CHARSETS } from './charsets.ts';
import { sampleCatalogue } from './sample.ts';
import type { Chosen } from './use-import.ts';

const saveSample = async (): Promise<void> => {
  const sample = sampleCatalogue();
  saveAs(sample.name, sample.type, await sample.text());
};

interface ChooseProps {
  readonly onChoose: (chosen: Chosen) => void;
}

/** Where a file is dropped or chosen, to be imported or to be tried. */
export const ChooseFile = ({ onChoose }: ChooseProps) => {
  const [isOver, setOver] = useState(false);
  const [isDryRun, setDryRun] = useState(false);
  const [charset, setCharset] = useState<(typeof CHARSETS)[number][0]>('utf-8');
  const choose = (file: File | undefined): void => {
    if (file) onChoose({ file, isDryRun, charset });
  };
  const over =
    (is: boolean) =>
    (event: DragEvent): void => {
      event.preventDefault();
      setOver(is);
    };
  return (
    <div
      className={`drop${isOver ? ' over' : ''}`}
      onDragOver={over(true)}
      onDragLeave={over(false)}
      onDrop={(event) => {
        over(false)(event);
        choose(event.dataTransfer.files[0]);
      }}
    >
      <Upload size={26} aria-hidden />
      <p>
        <strong>Drop a file here</strong>, or choose one.
      </p>
      <p className="mute">A product export of Shopify (CSV), or product documents, one a line (NDJSON). Any size.</p>
      <label className="check">
        <input type="checkbox" checked={isDryRun} onChange={({ target }) => setDryRun(target.checked)} />
        <span>
          <strong>Dry run</strong>: say what the import would do, and write nothing
        </span>
      </label>
      <Select label="Charset of the file" options={CHARSETS} chosen={charset} onChange={setCharset} isLabelShown />
      <div className="row">
        <label className="button primary">
          Choose a file
          <input
            type="file"
            className="visually-hidden"
            accept={ACCEPT}
            onChange={({ target }) => {
              choose(target.files?.[0]);
              // Allows choosing the same file again.
              target.value = '';
            }}
          />
        </label>
        <button
          type="button"
          className="button"
          onClick={() => onChoose({ file: sampleCatalogue(), isDryRun, charset: 'utf-8' })}
        >
          Import a sample of three products
        </button>
        <button type="button" className="button quiet" onClick={() => void saveSample()}>
          Download the sample
        </button>
      </div>
    </div>
  );
};
