import { MAX_TRIES } from '../../../../src/domain/media/media-import.ts';
import type { EventRow, History, ImportRow, Keyed, MediaHistory, MediaItem, Rows } from '../history.ts';
import { groupBy } from './events.ts';
import { checkProtocol, finalAnswers } from './keys.ts';
import { violation, type Violation } from './violation.ts';

/** The imports in its answers: one, if there is no violation. */
export const importIdsOf = (one: Keyed): string[] => {
  const accepted = finalAnswers(one).filter(({ status }) => status === 202);
  return [...new Set(accepted.map(({ body }) => (JSON.parse(body) as { importId: string }).importId))];
};

type ItemRow = ImportRow['items'][number];

/** Matches an item that was given up because its process ended again and again. */
const isGivenUp = ({ errorCode, error }: ItemRow): boolean =>
  errorCode === 'decode_failed' && error?.startsWith('The service ended') === true;

/** An import may be given up only after this many faults that could have ended its process. */
const mayBeGivenUp = ({ attempts }: MediaHistory, { disturbances }: History): boolean => {
  const begun = Math.min(...attempts.map(({ sentAt }) => sentAt));
  return disturbances.filter(({ until }) => until >= begun).length >= MAX_TRIES;
};

/** Errors that the fetch of a failed item is not to blame for. */
const deserves = (one: MediaHistory, { given }: MediaItem, row: ItemRow, history: History): boolean => {
  if (isGivenUp(row)) return mayBeGivenUp(one, history);
  if (row.errorCode === 'uninstalled') return one.loses === 'app';
  if (row.errorCode === 'product_not_found') return one.loses === 'product';
  return 'errorCode' in given && given.errorCode === row.errorCode;
};

/** The media and the file of an item that is Ready. */
const judgeMedia = (about: string, storeId: string, { productId, given }: MediaItem, row: ItemRow, rows: Rows): Violation[] => {
  const sha256 = 'sha256' in given ? given.sha256 : '';
  const key = `${storeId}/${sha256}.png`;
  const media = rows.media.filter(({ id }) => id === row.mediaId);
  const isRight = media.length === 1 && media.every((one) => one.productId === productId && one.storageKey === key);
  const isStored = rows.stored.some((file) => !file.isDraft && file.key === key && file.sha256 === sha256);
  return [
    ...(isRight ? [] : [violation('media differs', about, `it is Ready, and its media is ${JSON.stringify(media)}`)]),
    ...(isStored ? [] : [violation('media differs', about, `it is Ready, and ${key} is not there with its bytes`)]),
  ];
};

const judgeItem = (one: MediaHistory, item: MediaItem, row: ItemRow | undefined, history: History, rows: Rows): Violation[] => {
  const about = `${one.key} ${item.sourceUrl}`;
  if (row?.status === 'Failed' && deserves(one, item, row, history)) return [];
  if (row?.status === 'Ready' && 'sha256' in item.given) return judgeMedia(about, one.storeId, item, row, rows);
  return [violation('media not imported', about, `it is ${JSON.stringify(row)}`)];
};

/** The import of an acknowledged key, once, and its end. */
const judgeOne = (one: MediaHistory, imports: readonly ImportRow[], history: History, rows: Rows): Violation[] => {
  const answered = importIdsOf(one);
  const [row, ...more] = imports;
  if (more.length > 0) return [violation('executed twice', one.key, `${String(imports.length)} imports are recorded`)];
  if (answered.some((id) => id !== row?.id))
    return [violation('not executed', one.key, `answered ${answered.join()}, recorded ${String(row?.id)}`)];
  if (!row) return [];
  return one.items.flatMap((item) =>
    judgeItem(
      one,
      item,
      row.items.find(({ sourceUrl }) => sourceUrl === item.sourceUrl),
      history,
      rows,
    ),
  );
};

/** Each import that ended reported its result once and correctly. */
const checkEnds = (imports: readonly ImportRow[], events: readonly EventRow[]): Violation[] => {
  const ends = groupBy(
    events.filter(({ type }) => type.startsWith('media.import_')),
    ({ resourceId }) => resourceId ?? '',
  );
  return imports.flatMap(({ id, status }) => {
    const types = (ends.get(id) ?? []).map(({ type }) => type);
    if (types.length > 1) return [violation('executed twice', id, `it ended ${String(types.length)} times`)];
    const type = status === 'Failed' ? 'media.import_failed' : 'media.import_completed';
    return types[0] === type ? [] : [violation('event lost', id, `the import is ${status}, and its event ${String(types[0])}`)];
  });
};

/**
 * No media but of an item that is Ready; no file that the database doesn't know, and none with
 * other bytes than its name says.
 */
const checkOrphans = ({ imports, media, known, stored }: Rows): Violation[] => {
  const ready = new Set(
    imports.flatMap(({ items }) => items.filter(({ status }) => status === 'Ready').map(({ mediaId }) => mediaId)),
  );
  const keys = new Set(known);
  return [
    ...media.filter(({ id }) => !ready.has(id)).map(({ id }) => violation('media differs', id, 'no item that is Ready has it')),
    ...stored
      .filter(({ key }) => !keys.has(key))
      .map(({ key }) => violation('media differs', key, 'the file is stored, and not known')),
    ...stored
      .filter(({ key, isDraft, sha256 }) => !isDraft && !key.includes(sha256))
      .map(({ key, sha256 }) => violation('media differs', key, `its bytes are ${sha256}`)),
  ];
};

/**
 * Each key of an import executed once at most, and what it asked for done whole. `limit` in
 * milliseconds.
 */
export const checkMedia = (history: History, rows: Rows, limit: number): Violation[] => {
  const byAddress = new Map<string, ImportRow[]>();
  for (const row of rows.imports)
    for (const { sourceUrl } of row.items) byAddress.set(sourceUrl, [...(byAddress.get(sourceUrl) ?? []), row]);
  return [
    ...history.media.flatMap((one) => [
      ...checkProtocol(one, history, limit),
      ...judgeOne(one, byAddress.get(one.items[0]?.sourceUrl ?? '') ?? [], history, rows),
    ]),
    ...checkEnds(rows.imports, rows.events),
    ...checkOrphans(rows),
  ];
};
