import type { MediaImport, MediaImportDetail } from '../../api/types.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';

type Item = MediaImportDetail['items'][number];

/** A status in words, as a chip and a badge show it. */
export const STATUS_NAMES = {
  Queued: 'Queued',
  Running: 'Running',
  Completed: 'Completed',
  CompletedWithErrors: 'With errors',
  Failed: 'Failed',
} as const satisfies Record<MediaImport['status'], string>;

const TONES: Readonly<Record<MediaImport['status'], Tone>> = {
  Queued: 'info',
  Running: 'info',
  Completed: 'ok',
  CompletedWithErrors: 'warn',
  Failed: 'bad',
};

export const ImportBadge = ({ status }: { readonly status: MediaImport['status'] }) => (
  <Badge tone={TONES[status]}>{STATUS_NAMES[status]}</Badge>
);

const ITEM_TONES: Readonly<Record<Item['status'], Tone>> = {
  Pending: 'info',
  Downloading: 'info',
  Ready: 'ok',
  Failed: 'bad',
};

export const ItemBadge = ({ status }: { readonly status: Item['status'] }) => <Badge tone={ITEM_TONES[status]}>{status}</Badge>;

/** Advice for a failed image. Its own message says what happened. */
export const ITEM_HELP: Readonly<Record<NonNullable<Item['errorCode']>, string>> = {
  product_not_found: 'The product was deleted, or its id is wrong.',
  variant_not_found: 'The variant does not belong to the product.',
  address_not_allowed: 'The host resolves to a private address. Images are fetched only from public addresses.',
  fetch_failed: 'Open the address in a browser. It must return 200 with the image.',
  too_large: 'Use an image with fewer bytes or pixels.',
  unsupported_type: 'Use JPEG, PNG, WebP, GIF or still AVIF.',
  decode_failed: 'The image is damaged or incomplete. Save it again from its original.',
  timeout: 'The host or the image was too slow. Import the image again.',
  uninstalled: 'The app was uninstalled before its import ended.',
};
