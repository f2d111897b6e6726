import type { Tx } from '../../platform/database/database.ts'
import { setAttachments, type EmailAttachment } from './store.emails.ts'

/**
 * Adds files of the blob store to the e-mails about an entity that were written in this transaction. A file that is gone when
 * the e-mail is sent is left out.
 */
export const attachToEmails = (
  tx: Tx,
  organization: string,
  entity: { readonly type: string; readonly id: string },
  attachments: readonly EmailAttachment[],
): Promise<void> => setAttachments(tx, organization, entity, attachments)
