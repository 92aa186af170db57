import { Panel } from '../../parts/page.tsx';
import { Ago } from '../../parts/time.tsx';
import { keyOf, useHappening } from './happening.ts';
import { wordsOfHappening } from './happening-words.tsx';

const WORDS = { connecting: 'Connecting', open: 'Live', lost: 'Connection lost' } as const;

/** The last things that happened while the page is open. */
export const LiveStrip = ({ storeId }: { readonly storeId: string }) => {
  const { state, happening } = useHappening(storeId);
  return (
    <Panel
      title="Happening now"
      isFlush={happening.length > 0}
      actions={
        <span className="row mute">
          <span className={`live-dot ${state}`} />
          {WORDS[state]}
        </span>
      }
    >
      {happening.length === 0 && (
        <p className="mute">Events, attempts, refused requests and imports appear here as they happen.</p>
      )}
      {happening.length > 0 && (
        <ol className="strip" aria-label="What happened last">
          {happening.map((frame) => {
            const { badge, what, note } = wordsOfHappening(storeId, frame);
            return (
              <li key={keyOf(frame)}>
                {badge}
                <span className="strip-text">
                  {what} <span className="mute">{note}</span>
                </span>
                <span className="mute">
                  <Ago at={frame.at} />
                </span>
              </li>
            );
          })}
        </ol>
      )}
    </Panel>
  );
};
