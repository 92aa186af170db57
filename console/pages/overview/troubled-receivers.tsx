import { Link } from '@tanstack/react-router';

import type { Attention } from '../../api/types.ts';
import { Due, Time } from '../../parts/time.tsx';
import { receiverName } from '../../../src/adapters/http/console/shared.ts';
import { DEACTIVATED, OBSTACLES, stateOf } from '../subscriptions/words.ts';
import { countText, type AppName, type AttentionItem } from './attention-item.ts';

type Failing = Attention['failingSubscriptions']['items'][number];
type Troubled = Failing | Attention['deactivatedSubscriptions']['items'][number];

const hostOf = ({ url }: Pick<Troubled, 'url'>): string => new URL(url).host;

/** Groups receivers by state and host, in the order of the first of each. */
const grouped = <T extends Troubled>(items: readonly T[]): readonly (readonly [T, ...T[]])[] => {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = `${stateOf(item).name} ${hostOf(item)}`;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
};

interface GroupProps {
  readonly storeId: string;
  readonly group: readonly [Troubled, ...Troubled[]];
}

/** Names a single receiver, or the host of several. */
const Receivers = ({ storeId, group }: GroupProps) => {
  const [first, ...others] = group;
  const search = others.length === 0 ? { open: first.id } : { q: hostOf(first), state: 'attention' as const };
  return (
    <Link to="/stores/$storeId/subscriptions" params={{ storeId }} search={search}>
      {others.length === 0 ? receiverName(first) : `${group.length} receivers at ${hostOf(first)}`}
    </Link>
  );
};

/** Subscribers without repetition. */
const ownersOf = (group: readonly Troubled[], appName: AppName): string =>
  [...new Set(group.map(({ installationId }) => appName(installationId)))].join(', ');

const waitingText = (group: readonly Failing[]): string => {
  const count = group.reduce((sum, { waiting }) => sum + waiting.count, 0);
  if (count === 0) return 'Nothing waits for it.';
  const text = countText({ count, isComplete: group.every(({ waiting }) => waiting.isComplete) });
  return `${text} ${count === 1 ? 'waits' : 'wait'}.`;
};

const earliest = (times: readonly (string | null)[]): string | null => times.filter((time) => time !== null).sort()[0] ?? null;

const FailingWhy = ({ group, owners }: { readonly group: readonly Failing[]; readonly owners: string }) => {
  const since = earliest(group.map(({ health }) => health.failingSince));
  const probe = earliest(group.map(({ health }) => health.nextProbeAt));
  return (
    <>
      {owners}. {waitingText(group)}
      {since !== null && (
        <>
          {' '}
          Failing since <Time at={since} />.
        </>
      )}
      {probe !== null && (
        <>
          {' '}
          The next probe is <Due at={probe} />.
        </>
      )}
    </>
  );
};

/** The receivers that fail or were deactivated, by host: those for which most deliveries wait first. */
export const troubledReceivers = (
  storeId: string,
  { failingSubscriptions, deactivatedSubscriptions }: Attention,
  appName: AppName,
): AttentionItem[] => [
  ...grouped(failingSubscriptions.items).map((group): AttentionItem => {
    const { name } = stateOf(group[0]);
    return {
      key: group[0].id,
      tone: name === 'Failing' ? 'warn' : 'bad',
      word: name,
      what: <Receivers storeId={storeId} group={group} />,
      why: <FailingWhy group={group} owners={ownersOf(group, appName)} />,
    };
  }),
  ...grouped(deactivatedSubscriptions.items).map((group): AttentionItem => {
    const reasons = [...new Set(group.flatMap(({ health }) => health.deactivatedBecause ?? []))];
    return {
      key: group[0].id,
      tone: 'bad',
      word: 'Deactivated',
      what: <Receivers storeId={storeId} group={group} />,
      why: `${ownersOf(group, appName)}. ${reasons.map((reason) => DEACTIVATED[reason]).join(' ')} ${OBSTACLES.deactivated.help}`,
    };
  }),
];
