import type { S3Reader } from '../../../blobs/s3-reader.ts'
import type { ArchiveSource } from './archive-source.ts'

/** A bucket with a prefix, read with the credentials of the object store. */
export const openBucketSource = (root: string, reader: S3Reader): ArchiveSource => ({
  root,
  list: (max_entries) => reader.list(max_entries),
  read: (path, max_bytes) => reader.read(path, max_bytes),
  size: (path) => reader.size(path),
  download: (path, localPath, signal) => reader.download(path, localPath, signal),
  localPath: () => null,
  locate: async () => null,
})
