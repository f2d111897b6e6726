import type { Blobs } from '../../platform/blobs/blobs.ts'

/** Deletes every object under a prefix. */
export async function removeFolder(blobs: Blobs, folder: string): Promise<void> {
  const paths: string[] = []
  for await (const { path } of blobs.list(`${folder}/`)) paths.push(path)
  for (const path of paths) await blobs.delete(path)
}
