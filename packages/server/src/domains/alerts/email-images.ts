import type { Tx } from '../../platform/database/database.ts'
import { findAssetsByItem } from '../items/assets/store.assets.ts'
import { formatDownloadFileName } from '../items/assets/download-name.ts'
import { updateEmailAttachments, type EmailAttachment } from '../notifications/store.emails.ts'

/** The images of an alert: an item, and the one before it. */
export interface AlertImages {
  readonly id: string
  readonly item: string
  readonly previous: string | null
}

/**
 * Attaches the images of an alert to its e-mails, which are pending in the same transaction: a reader of mail has no token for the
 * URLs in the event. An item without a stored thumbnail has none.
 */
export async function attachAlertImages(
  tx: Tx,
  organization: string,
  { id, item, previous }: AlertImages,
): Promise<void> {
  const names = new Map([[item, 'after'], ...(previous === null ? [] : [[previous, 'before'] as const])])
  const assets = await findAssetsByItem(tx, organization, [...names.keys()])
  const attachments = [...names].flatMap(([item_id, name]): EmailAttachment[] => {
    const thumbnail = assets
      .get(item_id)
      ?.find(({ roles, ready, blob_path }) => roles.includes('thumbnail') && ready && blob_path !== null)
    if (!thumbnail || thumbnail.blob_path === null || thumbnail.file_size_bytes === null) return []
    const { blob_path, media_type, file_size_bytes: size_bytes } = thumbnail
    const file_name = formatDownloadFileName({ name }, { key: 'data', media_type })
    return [{ blob_path, file_name, media_type, size_bytes }]
  })
  if (attachments.length > 0) await updateEmailAttachments(tx, organization, { type: 'alert_event', id }, attachments)
}
