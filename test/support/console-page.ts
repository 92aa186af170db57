/** A browser sends these headers with each request from a page of the console. */
export const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'X-Tenon-Console': '1' };
