/** `user:password@` may be missing. The hosts end at the first `/` or `?`. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)([/?].*)?$/s;

/** `postgresql://host1:5432,host2:5432/name`, as one address for each server. */
export const serverUrls = (url: string): readonly string[] => {
  const [, before = '', hosts = '', behind = ''] = PARTS.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${behind}`) : [url];
};

/** The host and the port of a server's address, without the user and the password. The host may be a Unix socket's directory. */
export const whereIs = (url: string): string => {
  const { hostname, port, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? decodeURIComponent(hostname)}:${port || '5432'}`;
};

/** The hosts and ports of all of them. */
export const whereAre = (url: string): string => serverUrls(url).map(whereIs).join(' or ');
