import { Upload } from 'lucide-react';
import { useState, type DragEvent } from 'react';

import { ACCEPT, saveAs } from './catalogue-file.ts';
import { sampleCatalogue } from './sample.ts';

const saveSample = async (): Promise<void> => {
  const sample = sampleCatalogue();
  saveAs(sample.name, sample.type, await sample.text());
};

/** Where a file is dropped or chosen. */
export const ChooseFile = ({ onChoose }: { readonly onChoose: (file: File) => void }) => {
  const [isOver, setOver] = useState(false);
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
        const [file] = event.dataTransfer.files;
        if (file) onChoose(file);
      }}
    >
      <Upload size={26} aria-hidden />
      <p>
        <strong>Drop a file here</strong>, or choose one.
      </p>
      <p className="mute">A product export of Shopify (CSV), or product documents, one a line (NDJSON). Any size.</p>
      <div className="row">
        <label className="button primary">
          Choose a file
          <input
            type="file"
            className="visually-hidden"
            accept={ACCEPT}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) onChoose(file);
              // The same file can be chosen again.
              target.value = '';
            }}
          />
        </label>
        <button type="button" className="button" onClick={() => onChoose(sampleCatalogue())}>
          Import a sample of three products
        </button>
        <button type="button" className="button quiet" onClick={() => void saveSample()}>
          Download the sample
        </button>
      </div>
    </div>
  );
};
