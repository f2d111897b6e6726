import type { Client } from '@swath/client/client.ts'
import { createHash } from 'node:crypto'
import type { SearchGeometry } from '../catalog/area.ts'
import type { SceneCapture } from '../catalog/scenes.ts'

/** A capture of an order that is on its way or delivered. */
export interface HeldCapture extends SceneCapture {
  readonly order_id: string
  readonly status: string
  readonly licence: string | null
}

/** True if a capture is held under the licence that is wanted; null: under any. */
export const isLicensed = ({ licence }: HeldCapture, wanted: string | null): boolean =>
  wanted === null || licence === wanted

interface OrderPage {
  readonly content: readonly {
    readonly id: string
    readonly status: string
    readonly licenseType?: string | null
    readonly captures?: readonly { readonly id: string; readonly host: string; readonly geometry?: SearchGeometry }[]
  }[]
  readonly totalPages?: number
}

/** Orders that deliver nothing. */
const endedStatuses = new Set(['PLACEMENT_FAILED', 'FAILED_PERMANENTLY', 'CANCELED'])
const page_size = 100

/** What is ordered. */
export interface HeldCaptures {
  readonly captures: readonly HeldCapture[]
  /** A digest of the ids of all orders: equal for programs that have seen the same orders. */
  readonly basis: string
}

/** The captures of all orders that the caller sees, besides those of orders that failed or were cancelled. */
export async function listHeldCaptures(client: Client): Promise<HeldCaptures> {
  const held: HeldCapture[] = []
  const basis = createHash('sha256')
  for (let page = 0; ; page += 1) {
    const { content } = await client.call<OrderPage>('orders.list', { type: 'archive', include_areas: true, size: page_size, page }) // prettier-ignore
    for (const { id: order_id, status, licenseType, captures = [] } of content) {
      basis.update(order_id)
      if (endedStatuses.has(status)) continue
      const licence = licenseType ?? null
      held.push(...captures.flatMap(({ id, host, geometry }) => (geometry ? [{ id, host, geometry, order_id, status, licence }] : []))) // prettier-ignore
    }
    if (content.length < page_size) return { captures: held, basis: basis.digest('hex') }
  }
}
