import { useId } from 'react';

import type { Operation } from './document.ts';

interface CallSelectProps {
  readonly operations: readonly Operation[];
  readonly chosen: string;
  readonly onChange: (id: string) => void;
}

export const CallSelect = ({ operations, chosen, onChange }: CallSelectProps) => {
  const id = useId();
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return (
    <div className="field">
      <label htmlFor={id}>Call</label>
      <select id={id} value={chosen} onChange={(event) => onChange(event.target.value)}>
        {tags.map((tag) => (
          <optgroup key={tag} label={tag}>
            {operations
              .filter((operation) => operation.tag === tag)
              .map((operation) => (
                <option key={operation.id} value={operation.id}>
                  {operation.summary}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
};
