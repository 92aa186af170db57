/** Scopes between commas or spaces. The server judges them. */
export const parseScopes = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
