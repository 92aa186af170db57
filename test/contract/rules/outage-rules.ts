import { portsSoFar } from '../../../src/adapters/storage/so-far.ts';
import { DatabaseUnavailable } from '../../../src/domain/ports/transaction.ts';
import type { RulesWorld } from './rules-world.ts';
import { definitionOf, openShop } from './shop.ts';

/** How often work runs again that the engine refuses for a conflict. */
const AGAIN = 3;

/** Work that the engine refuses runs again, three times at most. After that it is an outage, and nothing is kept. */
export const outageFaults = async (world: RulesWorld): Promise<string[]> => {
  const ports = portsSoFar(world.ports);
  const { storeId } = await openShop(world, ports, 'refused');
  const faults: string[] = [];
  let runs = 0;
  const define = (type: string): Promise<unknown> =>
    ports.transaction.run(null, (tx) => {
      runs += 1;
      return tx.metaobjects.putDefinition(storeId, { ...definitionOf(storeId), type });
    });
  const isKept = (type: string) => ports.transaction.run(null, (tx) => tx.metaobjects.shareDefinition(storeId, type));
  await world.refuse(AGAIN);
  const late = await define('late').catch((error: unknown) => error);
  await world.refuse(0);
  if (late !== true) faults.push(`after ${String(AGAIN)} refusals the work ends with ${String(late)}`);
  if (runs !== AGAIN + 1) faults.push(`the work ran ${String(runs)} times for ${String(AGAIN)} refusals`);
  if ((await isKept('late')) === null) faults.push('the work that ran again is not kept');
  runs = 0;
  await world.refuse(AGAIN + 1);
  const outage = await define('never').catch((error: unknown) => error);
  await world.refuse(0);
  if (!(outage instanceof DatabaseUnavailable))
    faults.push(`after ${String(AGAIN + 1)} refusals the work ends with ${String(outage)}`);
  if (runs !== AGAIN + 1) faults.push(`the work ran ${String(runs)} times before the outage`);
  if ((await isKept('never')) !== null) faults.push('the work of an outage is kept');
  return faults;
};
