import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { deriveKey } from '../crypto/signatures.ts'
import type { Bucket } from '../setting-kinds.ts'
import type { AddressKeys } from './addresses.ts'
import type { Blobs } from './blobs.ts'
import { openDiskBlobs, type DiskBlobs } from './disk.ts'
import type { S3Options } from './s3.ts'

export interface OpenedBlobs {
  readonly blobs: Blobs
  /** The same store for work that nobody waits for: more patient where it is elsewhere. */
  readonly background: Blobs
  /** What the door for signed addresses needs; null where an object store serves them itself. */
  readonly disk: { readonly blobs: DiskBlobs; readonly keys: AddressKeys } | null
}

/** The store that the configuration names: a bucket, or a folder in the data folder. */
export async function openBlobs(parts: { config: Config; secret: Uint8Array; clock: Clock }): Promise<OpenedBlobs> {
  const { config, secret, clock } = parts
  if (config.storage) {
    // The SDK costs time and memory at start, which a server with files on its disk does not pay.
    const [{ openS3Blobs }, { backgroundLimits }] = await Promise.all([import('./s3.ts'), import('./s3-limits.ts')])
    const options = s3Options(config, config.storage, clock)
    const background = openS3Blobs({ ...options, limits: backgroundLimits })
    return { blobs: openS3Blobs(options), background, disk: null }
  }
  const keys: AddressKeys = [deriveKey(secret, 'blob-addresses')]
  const blobs = await openDiskBlobs({ folder: join(config.data_dir, 'blobs'), clock, keys })
  return { blobs, background: blobs, disk: { blobs, keys } }
}

function s3Options(config: Config, bucket: Bucket, clock: Clock): S3Options {
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = config
  const sessionToken = config.aws_session_token ?? undefined
  return {
    ...bucket,
    region: config.aws_region ?? 'us-east-1',
    endpoint: config.aws_endpoint_s3 ?? config.aws_endpoint,
    public_endpoint: config.storage_public_url,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : null,
    clock,
  }
}
