import { IMPORT_STATUSES, type MediaImport } from '../../../domain/media/media-import.ts';
import { statusOf } from '../work/installation-status.ts';
import { json, oneOf } from '../connection/sql-types.ts';

export const IS_OPEN = `t.status IN ('Pending', 'Downloading')`;

/** Condition on an open import, with its installation `i` and its store `st`. */
export const IS_RUNNABLE = `(${statusOf('i')} = 'Installed' AND st.status = 'Active')`;

export const OPEN_IMPORTS = `media_imports m JOIN installations i ON i.store_id = m.store_id AND i.id = m.installation_id
  JOIN stores st ON st.id = m.store_id WHERE m.ended_at IS NULL`;

export const READ_MEDIA_IMPORT = `
  SELECT m.id, m.store_id AS "storeId", m.installation_id AS "installationId", m.request_id AS "requestId", m.status, (
    SELECT json_agg(json_build_object('index', t.index, 'status', t.status, 'mediaId', t.media_id, 'errorCode', t.error_code,
      'error', t.error, 'retryAt', iso(t.retry_at), 'retryReason', t.retry_reason) ORDER BY t.index) FROM media_import_items t WHERE t.store_id = $storeId AND t.import_id = m.id) AS items
  FROM media_imports m WHERE m.store_id = $storeId`;

export const IMPORT = {
  id: 'uuid',
  storeId: 'uuid',
  installationId: 'uuid',
  requestId: 'uuid?',
  status: oneOf('text', IMPORT_STATUSES),
  items: json<MediaImport['items']>('json'),
} as const;

export const ID = { storeId: 'uuid', id: 'uuid' } as const;
export const IDS = { storeId: 'uuid', ids: 'uuid[]' } as const;
export const IMPORT_OWNER = { storeId: 'uuid', installationId: 'uuid' } as const;
