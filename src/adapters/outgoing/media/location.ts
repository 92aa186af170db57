/** Place of media files: a folder, or a bucket of a service that speaks S3. */
export type MediaLocation = { readonly directory: string } | { readonly endpoint: string; readonly bucket: string };

const bucketPath = /^\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/;

/**
 * Reads MEDIA_STORAGE: `http(s)://endpoint[:port]/bucket`, else a directory. Throws for an address
 * of another kind.
 */
export const parseMediaStorage = (text: string): MediaLocation => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { directory: text };
  const url = new URL(text);
  const bucket = bucketPath.exec(url.pathname)?.groups?.['bucket'];
  const more = url.username + url.password + url.search + url.hash;
  if (!/^https?:$/.test(url.protocol) || bucket === undefined || more !== '') throw new Error('no endpoint with a bucket');
  return { endpoint: url.origin, bucket };
};
