import type { S3Reader } from '../../../blobs/s3-reader.ts'
import type { ArchiveHostStorage } from './archive-source.ts'

/** A bucket with a prefix, read with the credentials of the object store. */
export const openBucketArchiveStorage = (root: string, reader: S3Reader): ArchiveHostStorage => ({
  root,
  list: (max_entries) => reader.list(max_entries),
  read: (path, max_bytes) => reader.read(path, max_bytes),
  size: async (path) => (await reader.describe(path)).size,
  download: (path, localPath, signal) => reader.download(path, localPath, signal),
  localPath: () => null,
  locate: async (path) => {
    const { size, version } = await reader.describe(path)
    const read = (offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> =>
      reader.readRange(path, { offset, length, version }, signal)
    return { kind: 'object', id: `${root}/${path}`, version, size, read }
  },
})
