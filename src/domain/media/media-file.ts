export const IMAGE_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
} as const;

export type ImageExtension = keyof typeof IMAGE_TYPES;
export type ImageType = (typeof IMAGE_TYPES)[ImageExtension];

export interface MediaFile {
  readonly storeId: string;
  /** Hash of the bytes, in 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly extension: ImageExtension;
}

/**
 * The key of a file, which follows MEDIA_URL in its address: `<storeId>/<sha256>.<extension>`. It
 * is the name of the bytes, so a key's file never changes.
 */
export const mediaKey = ({ storeId, sha256, extension }: MediaFile): string => `${storeId}/${sha256}.${extension}`;

const key = /^(?<storeId>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?<sha256>[0-9a-f]{64})\.(?<extension>[a-z]+)$/;

/**
 * The parts of a key. Null for any other text, so a key has one spelling and cannot leave its
 * folder.
 */
export const parseMediaKey = (text: string): MediaFile | null => {
  const { storeId = '', sha256 = '', extension = '' } = key.exec(text)?.groups ?? {};
  return Object.hasOwn(IMAGE_TYPES, extension) ? { storeId, sha256, extension: extension as ImageExtension } : null;
};
