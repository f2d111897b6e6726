import type { BlobStore } from '../../platform/blobs/blobs.ts'

/** The paths of all objects under a prefix. */
export async function listFolder(blobs: BlobStore, folder: string): Promise<string[]> {
  const paths: string[] = []
  for await (const { path } of blobs.list(`${folder}/`)) paths.push(path)
  return paths
}

/** Deletes every object under a prefix. */
export async function removeFolder(blobs: BlobStore, folder: string): Promise<void> {
  for (const path of await listFolder(blobs, folder)) await blobs.delete(path)
}
