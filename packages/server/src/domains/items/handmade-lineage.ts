import type { Actor } from '../../engine/actor.ts'
import type { ItemToAdd } from './add-item.ts'

/** What a caller names as the origin of an item. */
interface ClaimedOrigins {
  readonly order_id?: string | null
  readonly upload_id?: string | null
  readonly job_id?: string | null
}

/**
 * The lineage of an item that a caller makes: the call that made it, and the origins that the caller names, which must have been
 * validated. The edge to the call tells such an item from one that the platform delivered or computed.
 */
export const toHandmadeLineage = (
  { requestId }: Pick<Actor, 'requestId'>,
  { order_id, upload_id, job_id }: ClaimedOrigins = {},
): NonNullable<ItemToAdd['lineage']> => [
  { relation: 'produced_by', dst: { type: 'api_call', id: requestId } },
  ...(order_id ? [{ relation: 'delivered_by' as const, dst: { type: 'order', id: order_id } }] : []),
  ...(upload_id ? [{ relation: 'uploaded_by' as const, dst: { type: 'upload', id: upload_id } }] : []),
  ...(job_id ? [{ relation: 'produced_by' as const, dst: { type: 'processing_job', id: job_id } }] : []),
]
