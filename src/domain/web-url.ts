import type { ProductDocument } from './product.ts';
import { parseUrl } from './url.ts';

/** As a public text, behind the name of the field. */
export const WEB_URL_RULE = 'must be an absolute http or https URL';

/** Whether the text is an absolute http or https URL, with nothing in it that a URL parser would strip or repair. */
export const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s\\]+$/i.test(text) && parseUrl(text) !== null;

/** The first media of the document without a proper URL; null when all have one. */
export const documentMediaFault = ({ media = [] }: ProductDocument): string | null => {
  const at = media.findIndex(({ url, storageKey }) => {
    const address = url ?? storageKey;
    return address !== undefined && address !== '' && !isWebUrl(address);
  });
  return at === -1 ? null : `media[${at}].url: ${WEB_URL_RULE}`;
};
