import { Problem } from '../../engine/problem.ts'
import { callWithTimeLimit } from '../../platform/integrations/host-with-timeout.ts'
import type { HostCollection, HostScene, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import { applyProductTerms, formatDataProductName, type ProductTermsByName } from '../rate-cards/product-terms.ts'
import type { Integrations } from '../../platform/integrations/integrations.ts'

/** The imagery host with the name. Throws `not-found`. */
export function requireImageryHost(integrations: Pick<Integrations, 'hosts'>, name: string): ImageryHost {
  const host = integrations.hosts.get(name)
  if (!host) throw new Problem('not-found', `No host has the name "${name}".`)
  return host
}

export const findHostCollection = (host: ImageryHost, scene: HostScene): HostCollection | null =>
  host.collections.find((collection) => collection.id === scene.collection) ?? null

/** The collection of a scene with the terms of its data product in force. */
export function findCollectionForSale(
  host: ImageryHost,
  scene: HostScene,
  products: ProductTermsByName,
): HostCollection | null {
  const declared = findHostCollection(host, scene)
  return declared && applyProductTerms(declared, products.get(formatDataProductName(host.name, declared.id)))
}

/** Awaits a response of a host; any failure becomes `upstream`, because it is neither our error nor the caller's. */
export async function callHost<T>(host: ImageryHost, response: Promise<T>): Promise<T> {
  try {
    return await response
  } catch (error) {
    if (error instanceof Problem) throw error
    throw Object.assign(new Problem('upstream', `The host "${host.name}" did not respond.`), { cause: error })
  }
}

/** The longest time for which one host delays an answer about all of them. */
export const max_host_wait_ms = 3000

export interface HostAvailability {
  readonly status: 'available' | 'unavailable'
  readonly message: string | null
}

/** Says whether a host responds within `max_host_wait_ms`; its collections are then loaded. */
export async function findHostAvailability(host: ImageryHost, signal: AbortSignal): Promise<HostAvailability> {
  try {
    await callHostWithinLimit(signal, async (hostSignal) => host.check?.(hostSignal))
    return { status: 'available', message: null }
  } catch {
    signal.throwIfAborted()
    return { status: 'unavailable', message: `The host "${host.name}" did not respond.` }
  }
}

/** A call of a host that ends after `max_host_wait_ms`. */
export const callHostWithinLimit = <T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  callWithTimeLimit({ signal, timeout_ms: max_host_wait_ms }, call)

/** Reads the collections of a host before something is looked up in them. Throws `upstream`. */
export const loadHostCollections = async (host: ImageryHost, signal: AbortSignal): Promise<void> =>
  callHost(host, host.collections.length > 0 ? Promise.resolve() : (host.check?.(signal) ?? Promise.resolve()))
