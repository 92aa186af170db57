/** The types of media that are kept, by the extension that their keys have. */
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
  /** Of the bytes, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly extension: ImageExtension;
}

/** Where a file is kept, and what follows MEDIA_URL in its address: `<storeId>/<sha256>.<extension>`. Named by its bytes, so what stands there never changes. */
export const mediaKey = ({ storeId, sha256, extension }: MediaFile): string => `${storeId}/${sha256}.${extension}`;

const key = /^(?<storeId>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?<sha256>[0-9a-f]{64})\.(?<extension>[a-z]+)$/;

/** What a key tells; null for what no key can be: one spelling each, and no way out of a folder. */
export const parseMediaKey = (text: string): MediaFile | null => {
  const { storeId = '', sha256 = '', extension = '' } = key.exec(text)?.groups ?? {};
  return Object.hasOwn(IMAGE_TYPES, extension) ? { storeId, sha256, extension: extension as ImageExtension } : null;
};
