import type { Attempt } from '../../api/types.ts';
import { Code } from '../../parts/json.tsx';

interface SentProps {
  readonly request: NonNullable<Attempt['request']>;
  readonly number: number;
}

/** Shows the sent URL and every header, in their order. */
export const SentRequest = ({ request: { url, headers }, number }: SentProps) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = [...(url === null ? [] : [`POST ${url}`, '']), ...lines].join('\n');
  return (
    <details>
      <summary>Request headers</summary>
      <Code text={text} what={`the request of attempt ${number}`} />
    </details>
  );
};
