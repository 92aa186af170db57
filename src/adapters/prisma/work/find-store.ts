import { statement } from '../connection/statement.ts';

/** Finds one row or none. */
export const FIND_STORE = statement({ text: 'SELECT FROM stores WHERE id = $storeId', parameters: { storeId: 'uuid' } });
