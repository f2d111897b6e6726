import type { Client } from '@swath/client/client.ts'

export interface ReadOrder {
  readonly id: string
  readonly status: string
  readonly totalCredits: number
  readonly creditsCaptured: number
  readonly creditsRefunded: number
  readonly fulfillment: string | null
  readonly failureReason: { readonly code: string; readonly text: string } | null
  readonly statusHistory: readonly { readonly from: string | null; readonly to: string }[]
  readonly itemCount: number
}

const ended = new Set(['FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED'])

/** Reads an order until it has the status; throws when it ends in another one, or after a minute. */
export async function waitForOrder(client: Client, order_id: string, status: string): Promise<ReadOrder> {
  for (let tries = 0; tries < 600; tries++) {
    const order = await client.call<ReadOrder>('orders.get', { order_id })
    if (order.status === status) return order
    if (ended.has(order.status)) throw new Error(`the order ended as ${order.status}: ${JSON.stringify(order.failureReason)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the order did not become ${status} within a minute`)
}
