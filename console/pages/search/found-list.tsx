import { Link } from '@tanstack/react-router';

import { Zap } from '../../icons/index.ts';
import { isPortal } from '../../api/client.ts';
import type { Found } from '../../api/types.ts';
import { Id } from '../../parts/copy.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import { KINDS } from './kinds.ts';
import { isCause, placeOf } from './place-of.ts';

interface FoundProps {
  readonly storeId: string;
  readonly item: Found;
}

const One = ({ storeId, item }: FoundProps) => {
  const appName = useAppName(storeId, [item.installationId]);
  const { name, icon } = KINDS[item.kind];
  const Icon = isCause(item) ? Zap : icon;
  return (
    <li>
      <Icon size={17} aria-hidden />
      <div className="grow">
        <div className="row">
          {isCause(item) ? (
            <strong>This request caused the items below</strong>
          ) : (
            <strong>
              <Link {...placeOf(storeId, item)}>{item.title}</Link>
            </strong>
          )}
          <span className="mute">
            {name}
            {!isPortal && item.installationId !== null && item.kind !== 'installation' && ` · ${appName(item.installationId)}`}
          </span>
        </div>
        <Id value={item.id} />
      </div>
      <span className="mute">
        <Ago at={item.at} />
      </span>
    </li>
  );
};

/** Everything that the text names, each with the way to it. */
export const FoundList = ({ storeId, items }: { readonly storeId: string; readonly items: readonly Found[] }) => (
  <ol className="panel found" aria-label="What was found">
    {[...items.filter(isCause), ...items.filter((item) => !isCause(item))].map((item) => (
      <One key={`${item.kind} ${item.id} ${item.installationId ?? ''}`} storeId={storeId} item={item} />
    ))}
  </ol>
);
