import { Id } from './copy.tsx';

interface ResourceProps {
  readonly id: string;
  /** Undefined where no name is known. */
  readonly name: string | undefined;
}

/** Name of an event's subject, with the end of its id. */
export const Resource = ({ id, name }: ResourceProps) => (
  <span className="resource">
    {name !== undefined && (
      <span className="clip" title={name}>
        {name}
      </span>
    )}
    <Id value={id} short />
  </span>
);
