import { createReadStream } from 'node:fs'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3'

/** Larger files are uploaded in parts, each of which can be retried alone; a single request carries 5 GiB at most. */
export const max_single_put_bytes = 128 * 1024 * 1024

const min_part_bytes = 64 * 1024 * 1024
/** The limit of S3. */
const max_parts = 10_000

/** Uploads a local file in parts and returns its ETag. A failure aborts the multipart upload. */
export async function putFileInParts(
  client: S3Client,
  {
    target,
    localPath,
    size,
    part_bytes = Math.max(min_part_bytes, Math.ceil(size / max_parts)),
  }: {
    readonly target: { Bucket: string; Key: string; ContentType: string }
    readonly localPath: string
    readonly size: number
    readonly part_bytes?: number
  },
): Promise<string | undefined> {
  const { ContentType: _, ...object } = target
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target))
  try {
    const parts: { PartNumber: number; ETag: string | undefined }[] = []
    for (let start = 0; start < size; start += part_bytes) {
      const end = Math.min(start + part_bytes, size)
      const PartNumber = parts.length + 1
      const { ETag } = await client.send(
        new UploadPartCommand({
          ...object,
          UploadId,
          PartNumber,
          Body: createReadStream(localPath, { start, end: end - 1 }),
          ContentLength: end - start,
        }),
      )
      parts.push({ PartNumber, ETag })
    }
    const completed = { ...object, UploadId, MultipartUpload: { Parts: parts } }
    return (await client.send(new CompleteMultipartUploadCommand(completed))).ETag
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...object, UploadId })).catch(() => undefined)
    throw error
  }
}
