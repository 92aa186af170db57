import { parseUrl } from './url.ts';

/** The most characters of any URL that is kept. */
export const MAX_URL_LENGTH = 2048;

/** The rule of isWebUrl, as a public text after the field's name. */
export const WEB_URL_RULE = 'must be an absolute http or https URL';

/**
 * Whether the text is an absolute http or https URL without anything that a URL parser strips or
 * repairs.
 */
export const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s\\]+$/i.test(text) && parseUrl(text) !== null;
