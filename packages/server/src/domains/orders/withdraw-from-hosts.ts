import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { HostRefusal } from '../../platform/integrations/imagery-host.ts'
import { callHost } from '../catalog/hosts.ts'
import { listOrderHosts, type OrderRow } from './store.ts'

/**
 * Asks the hosts of an accepted order to withdraw it, before it is closed: if the withdrawal is then not recorded, the
 * host refuses the delivery, which closes the order without a charge. Throws `invalid-state` if a host refuses, and
 * `upstream` if it does not respond.
 */
export async function withdrawOrderFromHosts(call: Call, order: OrderRow): Promise<void> {
  for (const { host: name, reference } of await listOrderHosts(call.db, call.organization, order.id)) {
    const host = call.integrations.hosts.get(name)
    if (reference === null) continue
    if (!host?.cancel) throw new Problem('invalid-state', `The host "${name}" cannot withdraw an order.`)
    try {
      await callHost(host, host.cancel(reference, call.signal))
    } catch (error) {
      const refusal = findHostRefusal(error)
      if (!refusal) throw error
      throw new Problem('invalid-state', `The host refuses the cancellation: ${refusal.message}`)
    }
  }
}

/** The refusal of a host behind an error; null for any other error. */
export function findHostRefusal(error: unknown): HostRefusal | null {
  if (error instanceof HostRefusal) return error
  return error instanceof Error && error.cause instanceof HostRefusal ? error.cause : null
}
