import type { CaptureError } from '@swath/contract/schemas/capture.ts'
import type { HostScene, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import type { Integrations } from '../../platform/integrations/integrations.ts'
import { callHost, loadHostCollections, callHostWithinLimit } from '../catalog/hosts.ts'

export interface OrderCaptureRequest {
  readonly id: string
  readonly geometry: { readonly type?: unknown; readonly coordinates?: unknown }
  readonly host?: string | null
}

export type CaptureRequestError = Pick<CaptureError, 'code' | 'message'>

/** A requested capture that a host offers. */
export interface CaptureOffer {
  readonly capture: OrderCaptureRequest
  readonly host: ImageryHost
  readonly scene: HostScene
  /** Set if held area was left out of the capture. */
  readonly held_licence?: string
}

export function findCaptureOffer(
  integrations: Pick<Integrations, 'hosts'>,
  scenes: ReadonlyMap<string, HostScene>,
  capture: OrderCaptureRequest,
): CaptureOffer | CaptureRequestError {
  if (capture.host && !integrations.hosts.has(capture.host)) {
    return { code: 'unknown-host', message: `There is no host "${capture.host}".` }
  }
  const host = [...integrations.hosts.values()].find(
    ({ name }) => (!capture.host || capture.host === name) && scenes.has(computeSceneKey(name, capture.id)),
  )
  const scene = host && scenes.get(computeSceneKey(host.name, capture.id))
  if (!host || !scene) return { code: 'unknown-capture', message: `No host offers a capture "${capture.id}".` }
  return { capture, host, scene }
}

export const computeSceneKey = (host: string, scene: string): string => `${host}\u0000${scene}`

/**
 * The requested scenes, with one search per host, all at the same time. Captures that name no host are looked up at every
 * host in order; a host that does not respond in time is then passed over, unless a capture names it.
 */
export async function findRequestedScenes(
  integrations: Pick<Integrations, 'hosts'>,
  requests: readonly OrderCaptureRequest[],
  signal: AbortSignal,
): Promise<Map<string, HostScene>> {
  const scenesByKey = new Map<string, HostScene>()
  const unnamedIds = new Set(requests.filter(({ host }) => !host).map(({ id }) => id))
  const controller = new AbortController()
  const lookups = [...integrations.hosts.values()].map((host) =>
    startLookup(host, requests, { unnamedIds, signal: AbortSignal.any([signal, controller.signal]) }),
  )
  try {
    for (const { host, isNamed, search } of lookups) {
      if (!isNamed && unnamedIds.size === 0) continue
      for (const scene of await search) {
        scenesByKey.set(computeSceneKey(host.name, scene.id), scene)
        unnamedIds.delete(scene.id)
      }
    }
  } finally {
    controller.abort()
  }
  return scenesByKey
}

/** Searches one host for the captures that name it or no host. */
function startLookup(
  host: ImageryHost,
  requests: readonly OrderCaptureRequest[],
  { unnamedIds, signal }: { readonly unnamedIds: ReadonlySet<string>; readonly signal: AbortSignal },
) {
  const namedIds = requests.filter((capture) => capture.host === host.name).map(({ id }) => id)
  const isNamed = namedIds.length > 0
  const ids = [...new Set([...namedIds, ...unnamedIds])]
  const find = async (limited: AbortSignal): Promise<readonly HostScene[]> => {
    if (ids.length === 0) return []
    await loadHostCollections(host, limited)
    return callHost(host, host.search({ ids, limit: ids.length }, limited))
  }
  const search = isNamed ? find(signal) : callHostWithinLimit(signal, find).catch((): readonly HostScene[] => [])
  // The result is awaited only if no earlier host had every scene.
  search.catch(() => undefined)
  return { host, isNamed, search }
}
