import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { systemClock } from '../src/platform/clock.ts'
import { randomText } from '../src/platform/ids.ts'
import { openS3BlobStore, type S3BlobStore } from '../src/platform/blobs/s3.ts'

/** The endpoint of a third-party S3 server that accepts these credentials; CI starts one. */
export const testS3Endpoint = process.env.SWATH_TEST_S3
export const testS3Credentials = { accessKeyId: 'swath-test', secretAccessKey: 'swath-test-secret' }

export interface TestBucket {
  readonly blobs: S3BlobStore
  readonly client: S3Client
  readonly bucket: string
  close(): Promise<void>
}

/** Creates a bucket at that endpoint. Its URLs are signed with the system time, which the server compares with its own. */
export async function createTestBucket(): Promise<TestBucket> {
  const bucket = `swath-${randomText(12).toLowerCase()}`
  const client = new S3Client({
    endpoint: testS3Endpoint!,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: testS3Credentials,
  })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  const options = {
    endpoint: testS3Endpoint!,
    public_endpoint: null,
    region: 'us-east-1',
    credentials: testS3Credentials,
    clock: systemClock,
  }
  const blobs = openS3BlobStore({ ...options, bucket, prefix: 'swath/one' })
  const close = async (): Promise<void> => {
    blobs.close()
    client.destroy()
  }
  return { blobs, close, client, bucket }
}
