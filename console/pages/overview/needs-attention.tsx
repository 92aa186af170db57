import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { CircleCheck } from '../../icons/index.ts';
import { Badge } from '../../parts/badge.tsx';
import { Claim, Found } from '../../parts/found.tsx';
import { Panel } from '../../parts/page.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import { appsIn, attentionItemsOf } from './attention-items.tsx';
import { attentionQuery } from './queries.ts';

/** More are shown when the reader asks for them. */
const SHOWN_FIRST = 6;

/** Lists failures, waits and refusals of now, with links to their remedies. */
export const NeedsAttention = ({ storeId }: { readonly storeId: string }) => {
  const found = useQuery(attentionQuery(storeId));
  const appName = useAppName(storeId, found.data ? appsIn(found.data) : []);
  const [isWhole, setWhole] = useState(false);
  const items = found.data ? attentionItemsOf(storeId, found.data, appName) : [];
  const hidden = isWhole ? 0 : Math.max(items.length - SHOWN_FIRST, 0);
  return (
    <Panel title="Needs attention" isFlush={items.length > 0}>
      <Found query={found}>
        {() =>
          items.length === 0 ? (
            <Claim>
              <p className="row mute">
                <CircleCheck size={17} className="tone-ok" aria-hidden /> Nothing needs you now.
              </p>
            </Claim>
          ) : (
            <ul className="attention-items">
              {items.slice(0, items.length - hidden).map(({ key, tone, word, what, why }) => (
                <li key={key}>
                  <Badge tone={tone}>{word}</Badge>
                  <div>
                    <strong>{what}</strong>
                    {why !== undefined && <p className="mute">{why}</p>}
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Found>
      {hidden > 0 && (
        <button type="button" className="button quiet small more" onClick={() => setWhole(true)}>
          Show {hidden} more
        </button>
      )}
    </Panel>
  );
};
