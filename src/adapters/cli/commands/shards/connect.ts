import type { Shards, StorePlace } from '../../../storage/shards.ts';
import { parseConfig } from '../../../wiring/settings/config.ts';
import { storageAt } from '../../../wiring/storage.ts';
import { StartFailure } from '../../../startup/start-failure.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import type { Cell } from '../../output/table.ts';
import { megabytes } from '../../output/size.ts';

export const NO_PLACES = 'The tables are not distributed yet. Run tenon migrate.';

/** Works with the shards of DATABASE_URL. The embedded database is never a Citus cluster. */
export const withShards = async ({ process: streams }: CliContext, work: (shards: Shards) => Promise<void>): Promise<void> => {
  const config = parseConfig(streams.env);
  if (!config.ok) throw new StartFailure(config.message);
  const { DATABASE_URL: url } = config.value;
  const shards = url === undefined ? null : await (await storageAt(url)).openShards(url);
  if (shards === null) throw new CommandFailure('The database is not the coordinator of a Citus cluster.', EXIT.refused);
  try {
    await work(shards);
  } finally {
    await shards.close();
  }
};

/** The place of a store. Throws a CommandFailure where no table has a place. */
export const placeOf = async (shards: Shards, store: string): Promise<StorePlace> => {
  const place = await shards.placeOf(store);
  if (place === null) throw new CommandFailure(NO_PLACES);
  return place;
};

export const sizeText = (bytes: number | null): Cell => (bytes === null ? 'unknown' : megabytes(bytes));
