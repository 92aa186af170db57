export const parseScopes = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
