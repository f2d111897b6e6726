import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { newId } from '../ids.ts'
import { writeFileOnce } from '../write-file-once.ts'

type StorageSettings = Pick<Config, 'storage' | 'data_dir' | 'aws_endpoint' | 'aws_endpoint_s3'>

const identityFile = ({ data_dir }: StorageSettings): string => join(data_dir, 'blobs', 'storage-id')

/**
 * Identifies a blob store: the URL of a bucket, or the id in a file of the local folder. Null for a folder without that
 * file.
 */
export async function findStorageIdentity(config: StorageSettings): Promise<string | null> {
  const { storage, aws_endpoint, aws_endpoint_s3 } = config
  if (storage) {
    const endpoint = aws_endpoint_s3 ?? aws_endpoint
    return `s3://${storage.bucket}/${storage.prefix}${endpoint ? ` at ${endpoint}` : ''}`
  }
  try {
    return `folder ${(await readFile(identityFile(config), 'utf8')).trim()}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Writes the id of a local folder that has none; concurrent processes agree on one. */
export async function createStorageIdentity(config: StorageSettings): Promise<string> {
  const path = identityFile(config)
  await mkdir(join(config.data_dir, 'blobs'), { recursive: true, mode: 0o700 })
  await writeFileOnce(path, `${newId()}\n`)
  const identity = await findStorageIdentity(config)
  if (identity === null) throw new Error('the id of the blob folder could not be written')
  return identity
}
