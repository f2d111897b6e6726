import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { deriveKeys, type CurrentAndAcceptedKeys } from '../crypto/signatures.ts'
import type { BucketLocation } from '../setting-types.ts'
import type { BlobStore } from './blobs.ts'
import { openDiskBlobStore, type DiskBlobStore } from './disk.ts'
import type { S3BlobStoreOptions } from './s3.ts'

export interface OpenedBlobStore {
  readonly blobs: BlobStore
  /** The same store with longer timeouts, for background work. */
  readonly background: BlobStore
  /** The disk store and its URL keys, for the route of signed URLs; null for S3, which serves its URLs itself. */
  readonly disk: { readonly blobs: DiskBlobStore; readonly keys: CurrentAndAcceptedKeys } | null
}

/** Opens the configured store: an S3 bucket, or a folder in the data folder. */
export async function openBlobStore(dependencies: {
  config: Config
  masterSecrets: CurrentAndAcceptedKeys
  clock: Clock
}): Promise<OpenedBlobStore> {
  const { config, masterSecrets, clock } = dependencies
  if (config.storage) {
    // The SDK costs time and memory at startup, so it is loaded only for S3.
    const [{ openS3BlobStore }, { s3BackgroundRetryPolicy }] = await Promise.all([
      import('./s3.ts'),
      import('./s3-limits.ts'),
    ])
    const options = s3Options(config, config.storage, clock)
    const background = openS3BlobStore({ ...options, limits: s3BackgroundRetryPolicy })
    return { blobs: openS3BlobStore(options), background, disk: null }
  }
  const keys = deriveKeys(masterSecrets, 'blob-addresses')
  const blobs = await openDiskBlobStore({ folder: join(config.data_dir, 'blobs'), clock, keys })
  return { blobs, background: blobs, disk: { blobs, keys } }
}

function s3Options(config: Config, bucket: BucketLocation, clock: Clock): S3BlobStoreOptions {
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
