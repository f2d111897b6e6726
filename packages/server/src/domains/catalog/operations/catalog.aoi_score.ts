import { catalogAoiScoreOperation } from '@swath/contract/operations/catalog.ts'
import type { SceneAreaScore } from '@swath/contract/schemas/catalog.ts'
import { coveredFraction } from '@swath/geo/polygon-clip.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import type { HostScene, ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { validateArea } from '../../rendering/aoi.ts'
import { callHost, loadCollections, requireImageryHost } from '../hosts.ts'
import { measureCloudInArea, toPercent, type CloudInArea } from '../imagery/cloud-in-area.ts'
import { describeSceneImage } from '../imagery/scene-image.ts'
import { isAreaGeometry } from '../price.ts'

export const scoreArea = defineHandler(catalogAoiScoreOperation, async (call, input) => {
  const host = requireImageryHost(call.integrations, input.host_name)
  const area = validateArea(input.geometry, 'geometry')
  await loadCollections(host, call.signal)
  const ids = [...new Set(input.image_ids)]
  const scenes = await callHost(host, host.search({ ids, limit: ids.length }, call.signal))
  const byId = new Map(scenes.map((scene) => [scene.id, scene]))
  const missing = ids.find((id) => !byId.has(id))
  if (missing !== undefined) throw new Problem('not-found', `The host "${host.name}" has no scene "${missing}".`)
  const scores: SceneAreaScore[] = []
  for (const id of ids) scores.push(await scoreScene(call, { host, scene: byId.get(id)!, area }))
  return { scores }
})

interface SceneInArea {
  readonly host: ImageryHost
  readonly scene: HostScene
  readonly area: AreaGeometry
}

async function scoreScene(call: Call, { host, scene, area }: SceneInArea): Promise<SceneAreaScore> {
  const { geometry, properties } = scene
  const covered = isAreaGeometry(geometry) ? coveredFraction(area, [geometry]) : 0
  const cloud = covered > 0 ? await readCloud(call, { host, scene, area }) : null
  const scene_cloud = properties['eo:cloud_cover']
  return {
    scene_id: scene.id,
    collection: scene.collection,
    covered_percent: toPercent(covered),
    measured_percent: cloud?.measured_percent ?? 0,
    cloud_percent: cloud?.cloud_percent ?? null,
    haze_percent: cloud?.haze_percent ?? null,
    source: cloud?.source ?? null,
    scene_cloud_percent: typeof scene_cloud === 'number' ? scene_cloud : null,
  }
}

/** Problems of the files of one scene, which do not keep the others from their scores. */
const fileProblems: ReadonlySet<string> = new Set(['unsupported-raster', 'budget-exceeded', 'upstream', 'forbidden'])

async function readCloud(call: Call, { host, scene, area }: SceneInArea): Promise<CloudInArea | null> {
  try {
    const found = await callHost(host, host.sceneFiles?.(scene.id, call.signal) ?? Promise.resolve(null))
    return found ? await measureCloudInArea(call, await describeSceneImage(call, host, found), area) : null
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof Problem && fileProblems.has(error.problem)) return null
    throw error
  }
}
