import { catalogAoiScoreOperation } from '@swath/contract/operations/catalog.ts'
import type { SceneAreaScore } from '@swath/contract/schemas/catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { validateArea } from '../../tiles/aoi.ts'
import { callHost, loadHostCollections, requireImageryHost } from '../hosts.ts'
import { scoreSceneInArea } from '../imagery/score-scene.ts'

/** The time limit for downloading the quicklooks of one call. */
const max_quicklooks_ms = 30_000
/** Maximum number of scenes that are scored at one time. */
const max_concurrent = 4

export const handler = defineHandler(catalogAoiScoreOperation, async (call, input) => {
  const host = requireImageryHost(call.integrations, input.host_name)
  const area = validateArea(input.geometry, 'geometry')
  await loadHostCollections(host, call.signal)
  const ids = [...new Set(input.image_ids)]
  const scenes = await callHost(host, host.search({ ids, limit: ids.length }, call.signal))
  const byId = new Map(scenes.map((scene) => [scene.id, scene]))
  const missing = ids.find((id) => !byId.has(id))
  if (missing !== undefined) throw new Problem('not-found', `The host "${host.name}" has no scene "${missing}".`)
  const quicklookSignal = AbortSignal.any([call.signal, AbortSignal.timeout(max_quicklooks_ms)])
  const scores: SceneAreaScore[] = []
  for (let from = 0; from < ids.length; from += max_concurrent) {
    const batch = ids.slice(from, from + max_concurrent)
    const score = (id: string) => scoreSceneInArea(call, { host, scene: byId.get(id)!, area, quicklookSignal })
    scores.push(...(await Promise.all(batch.map(score))))
  }
  return { scores }
})
