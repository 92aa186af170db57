import { parseUrl } from './url.ts';

export const MAX_URL_LENGTH = 2048;

export const WEB_URL_RULE = 'must be an absolute http or https URL';

/** Accepts an absolute http or https URL without anything that a URL parser strips or repairs. */
export const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s\\]+$/i.test(text) && parseUrl(text) !== null;
