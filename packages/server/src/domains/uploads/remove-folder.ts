import type { BlobStore } from '../../platform/blobs/blobs.ts'

/** Deletes every object under a prefix. */
export async function removeFolder(blobs: BlobStore, folder: string): Promise<void> {
  const paths: string[] = []
  for await (const { path } of blobs.list(`${folder}/`)) paths.push(path)
  for (const path of paths) await blobs.delete(path)
}
