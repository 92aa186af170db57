import { parseUrl } from './url.ts';

/** As a public text, behind the name of the field. */
export const WEB_URL_RULE = 'must be an absolute http or https URL';

/** Whether the text is an absolute http or https URL, with nothing in it that a URL parser would strip or repair. */
export const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s\\]+$/i.test(text) && parseUrl(text) !== null;
