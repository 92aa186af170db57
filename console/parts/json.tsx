import type { ReactNode } from 'react';

import { CopyButton } from './copy.tsx';

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Longer text is shown without colours, which would take a thousand elements. */
const MOST_COLOURED = 60_000;

const coloured = (text: string): ReactNode[] => {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon, word] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    const kind = string === undefined ? (word === undefined ? 'number' : 'word') : colon === undefined ? 'text' : 'key';
    parts.push(
      <span key={match.index} className={`json-${kind}`}>
        {string ?? whole}
      </span>,
      colon,
    );
  }
  return [...parts, text.slice(end)];
};

/** Text in a fixed-width font with a button that copies it. */
export const Code = ({
  text,
  what,
  children,
}: {
  readonly text: string;
  readonly what: string;
  readonly children?: ReactNode;
}) => (
  <div className="code">
    <pre tabIndex={0}>{children ?? text}</pre>
    <CopyButton text={text} what={what} />
  </div>
);

const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: it is shown as it came.
    return text;
  }
};

/** JSON, indented and coloured. Text that is not JSON is shown as it is. */
export const Json = ({ value, what }: { readonly value: unknown; readonly what: string }) => {
  const text = typeof value === 'string' ? indented(value) : JSON.stringify(value, null, 2);
  return (
    <Code text={text} what={what}>
      {text.length > MOST_COLOURED ? text : coloured(text)}
    </Code>
  );
};
