import assert from 'node:assert/strict'
import type { Client } from '@swath/client/client.ts'
import type { ServerProcess } from './server-processes.ts'

const poll_interval_ms = 100

/** Orders the first scene of the open host. */
export async function placeFirstSceneOrder(client: Client): Promise<string> {
  const { features } = await client.call<{ features: { id: string; geometry: object }[] }>('catalog.search', {
    host_name: 'open',
    limit: 1,
  })
  const captures = features.map(({ id, geometry }) => ({ id, geometry, host: 'open' }))
  const input = { captures }
  return (await client.call<{ id: string }>('orders.archive.place', input, { idempotencyKey: 'one' })).id
}

/** Returns the status of an order as its owner reads it. */
export const getOrderStatus = async (client: Client, order_id: string): Promise<string> =>
  (await client.call<{ status: string }>('orders.get', { order_id })).status

/** Resolves when the worker has delivered the order; fails if the worker exits first. */
export async function waitUntilDelivered(client: Client, order_id: string, worker: ServerProcess): Promise<void> {
  while ((await getOrderStatus(client, order_id)) !== 'FULFILLED') {
    if (worker.child.exitCode !== null) assert.fail(worker.output.err)
    await new Promise((resolve) => setTimeout(resolve, poll_interval_ms))
  }
}
