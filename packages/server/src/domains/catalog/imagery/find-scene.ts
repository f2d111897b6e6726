import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { HostScene, HostSceneFiles, ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { loadHostCollections, requireImageryHost, callHostWithinLimit } from '../hosts.ts'
import { describeSceneImage, type SceneImage } from './scene-image.ts'

/** The scene to find. Without a provider all hosts are queried. */
export interface FindSceneRequest {
  readonly scene_id: string
  readonly provider?: string | null | undefined
  readonly collection?: string
  readonly matches?: (scene: HostScene) => boolean
}

interface FoundScene {
  readonly host: ImageryHost
  readonly found: HostSceneFiles
}

/**
 * Finds a scene whose files can be read in place. Throws `not-found` if no host has it, `upstream` if a host that may have
 * it does not respond, and `unsupported-raster`.
 */
export async function findSceneImage(call: Call, request: FindSceneRequest): Promise<SceneImage> {
  const hosts = request.provider
    ? [requireImageryHost(call.integrations, request.provider)]
    : [...call.integrations.hosts.values()]
  const results = await Promise.allSettled(hosts.map((host) => findAtHost(call, host, request)))
  call.signal.throwIfAborted()
  const [first] = results.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []))
  if (first) return describeSceneImage(call, first.host, first.found)
  const failed = results.findIndex(({ status }) => status === 'rejected')
  if (failed >= 0) throw new Problem('upstream', `The host "${hosts[failed]!.name}" did not respond.`)
  throw new Problem('not-found', `No host has such a scene "${request.scene_id}".`)
}

async function findAtHost(call: Call, host: ImageryHost, request: FindSceneRequest): Promise<FoundScene | null> {
  const { sceneFiles } = host
  const { scene_id, collection, matches } = request
  if (!sceneFiles) return null
  if (collection !== undefined) {
    await callHostWithinLimit(call.signal, (signal) => loadHostCollections(host, signal))
    if (!host.collections.some(({ id }) => id === collection)) return null
  }
  const found = await callHostWithinLimit(call.signal, (signal) => sceneFiles(scene_id, signal))
  if (!found || (collection !== undefined && found.scene.collection !== collection)) return null
  return !matches || matches(found.scene) ? { host, found } : null
}
