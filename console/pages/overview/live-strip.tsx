import { Panel } from '../../parts/page.tsx';
import { Ago } from '../../parts/time.tsx';
import { keyOf, useLiveActivity } from './live-activity.ts';
import { wordsOfActivity } from './activity-words.tsx';

const WORDS = { connecting: 'Connecting', open: 'Live', lost: 'Connection lost' } as const;

/** The last things that happened while the page is open. */
export const LiveStrip = ({ storeId }: { readonly storeId: string }) => {
  const { state, activity } = useLiveActivity(storeId);
  return (
    <Panel
      title="Happening now"
      isFlush={activity.length > 0}
      actions={
        <span className="row mute">
          <span className={`live-dot ${state}`} />
          {WORDS[state]}
        </span>
      }
    >
      {activity.length === 0 && (
        <p className="mute">Events, attempts, refused requests and imports appear here as they happen.</p>
      )}
      {activity.length > 0 && (
        <ol className="strip" aria-label="What happened last">
          {activity.map((frame) => {
            const { badge, what, note } = wordsOfActivity(storeId, frame);
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
