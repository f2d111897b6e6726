import type { BlobStore } from '../../platform/blobs/blobs.ts'

/** The paths of all objects under a prefix. */
export async function listObjectsInFolder(blobs: BlobStore, folder: string): Promise<string[]> {
  const paths: string[] = []
  for await (const { path } of blobs.list(`${folder}/`)) paths.push(path)
  return paths
}

/** Deletes every object under a prefix. */
export async function removeObjectsInFolder(blobs: BlobStore, folder: string): Promise<void> {
  for (const path of await listObjectsInFolder(blobs, folder)) await blobs.delete(path)
}
