import { BlobNotFound, type BlobStore } from '../../platform/blobs/blobs.ts'
import type { MailAttachment } from '../../platform/integrations/mail/mailer.ts'
import type { EmailAttachment } from './store.emails.ts'

/** Mail servers commonly refuse messages above 10 MB, and an attachment grows by a third in a message. */
const max_attached_bytes = 7_000_000

/** Reads the files of an e-mail that still exist; none if they are too large, since the e-mail has a link to them. */
export async function readAttachments(
  blobs: BlobStore,
  attachments: readonly EmailAttachment[],
): Promise<MailAttachment[]> {
  if (attachments.reduce((sum, { size_bytes }) => sum + size_bytes, 0) > max_attached_bytes) return []
  const files: MailAttachment[] = []
  for (const { blob_path, file_name, media_type, size_bytes } of attachments) {
    try {
      files.push({ file_name, media_type, bytes: await blobs.read(blob_path, 0, size_bytes) })
    } catch (error) {
      if (!(error instanceof BlobNotFound)) throw error
    }
  }
  return files
}
