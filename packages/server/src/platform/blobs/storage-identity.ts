import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { newId } from '../ids.ts'
import { writeOnce } from '../write-once.ts'

type Where = Pick<Config, 'storage' | 'data_dir' | 'aws_endpoint' | 'aws_endpoint_s3'>

const fileOf = ({ data_dir }: Where): string => join(data_dir, 'blobs', 'storage-id')

/**
 * Identifies a blob store: the URL of a bucket, or the id in a file of the local folder. Null for a folder without that
 * file.
 */
export async function findStorageIdentity(config: Where): Promise<string | null> {
  const { storage, aws_endpoint, aws_endpoint_s3 } = config
  if (storage) {
    const endpoint = aws_endpoint_s3 ?? aws_endpoint
    return `s3://${storage.bucket}/${storage.prefix}${endpoint ? ` at ${endpoint}` : ''}`
  }
  try {
    return `folder ${(await readFile(fileOf(config), 'utf8')).trim()}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Writes the id of a local folder that has none; concurrent processes agree on one. */
export async function nameStorage(config: Where): Promise<string> {
  const path = fileOf(config)
  await mkdir(join(config.data_dir, 'blobs'), { recursive: true, mode: 0o700 })
  await writeOnce(path, `${newId()}\n`)
  const named = await findStorageIdentity(config)
  if (named === null) throw new Error('the id of the blob folder could not be written')
  return named
}
