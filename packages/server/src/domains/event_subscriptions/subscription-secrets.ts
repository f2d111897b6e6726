import type { WebhookCustomHeaders } from './custom-headers.ts'
import type { EventSubscriptionRow } from './store.ts'
import type { WebhookServices } from './webhook-services.ts'

type SealedSecrets = Pick<
  EventSubscriptionRow,
  'sealed_secret' | 'previous_sealed_secret' | 'previous_secret_expires_at'
>

/** The secrets that sign at a time: the current one, and the previous one until it expires. */
export function decryptSigningSecrets(
  { open }: Pick<WebhookServices, 'open'>,
  row: SealedSecrets,
  now: Date,
): [secret: string, previous: string | null] {
  const { sealed_secret, previous_sealed_secret, previous_secret_expires_at: expires_at } = row
  const isOverlapping = previous_sealed_secret !== null && expires_at !== null && expires_at > now
  return [open(sealed_secret), isOverlapping ? open(previous_sealed_secret) : null]
}

export const decryptCustomHeaders = (
  { open }: Pick<WebhookServices, 'open'>,
  sealed: string | null,
): WebhookCustomHeaders => (sealed === null ? {} : (JSON.parse(open(sealed)) as WebhookCustomHeaders))

/** Null for no headers. */
export const encryptCustomHeaders = (
  { seal }: Pick<WebhookServices, 'seal'>,
  headers: WebhookCustomHeaders | null | undefined,
): string | null => (headers && Object.keys(headers).length > 0 ? seal(JSON.stringify(headers)) : null)
