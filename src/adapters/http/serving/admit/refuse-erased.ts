import { parseUuid } from '../../../../domain/values/uuid.ts';
import { notFound } from '../../../../domain/result.ts';
import type { Route } from '../../route-declaration.ts';
import { reject } from './admit.ts';
import type { Admit } from '../context.ts';

/**
 * Answers 404 for every route below a store that is being erased, except for these routes. What is
 * erased piece by piece must not be read, and nothing may be added to it.
 */
export const refuseErased =
  (admit: Admit, isBeingErased: (storeId: string) => Promise<boolean>, except: readonly Route[]): Admit =>
  async (context) => {
    const admitted = await admit(context);
    const storeId = parseUuid(context.request.params['storeId']);
    if (admitted === null || storeId === null || except.includes(context.route)) return admitted;
    return (await isBeingErased(storeId)) ? reject(context, notFound('Store')) : admitted;
  };
