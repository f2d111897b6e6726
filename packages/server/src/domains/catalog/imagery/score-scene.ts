import type { SceneAreaScore } from '@swath/contract/schemas/catalog.ts'
import { coveredFraction } from '@swath/geo/polygon-clip.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { HostScene, HostSceneFiles, ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import { convertRasterFailures } from '../../tiles/failures.ts'
import { callHost, findHostCollection } from '../hosts.ts'
import { isAreaGeometry } from '../price.ts'
import { roundToPercent, type CloudPercentages } from './cloud-counts.ts'
import { measureCloudInArea } from './cloud-in-area.ts'
import { estimateCloudFromQuicklook } from './cloud-in-quicklook.ts'
import { describeSceneImage } from './scene-image.ts'

export interface SceneAreaScoreRequest {
  readonly host: ImageryHost
  readonly scene: HostScene
  readonly area: AreaGeometry
  /** Aborts when quicklooks are no longer downloaded for this call. */
  readonly quicklookSignal: AbortSignal
}

type CloudScore = CloudPercentages & Pick<SceneAreaScore, 'source' | 'reason'>

/** Scores a scene. Unreadable data is reported in `reason`; only internal errors are thrown. */
export async function scoreSceneInArea(call: Call, request: SceneAreaScoreRequest): Promise<SceneAreaScore> {
  const { scene, area } = request
  const { geometry, properties } = scene
  const covered = isAreaGeometry(geometry) ? coveredFraction(area, [geometry]) : 0
  const cloud = covered > 0 ? await readCloud(call, request) : unscored('The scene does not reach into the area.')
  const scene_cloud = properties['eo:cloud_cover']
  return {
    scene_id: scene.id,
    collection: scene.collection,
    covered_percent: roundToPercent(covered),
    ...cloud,
    scene_cloud_percent: typeof scene_cloud === 'number' ? scene_cloud : null,
  }
}

const unscored = (reason: string, measured_percent = 0): CloudScore => ({
  measured_percent,
  cloud_percent: null,
  haze_percent: null,
  source: null,
  reason,
})

/** Reads cloud from the files of the scene, else from its quicklook; else only the area with pixels, and the reason. */
async function readCloud(call: Call, request: SceneAreaScoreRequest): Promise<CloudScore> {
  const found = await attempt(call, () => findFiles(call, request))
  const files = 'value' in found ? await attempt(call, () => measureFiles(call, request, found.value)) : found
  const measured_percent = 'value' in files ? files.value.measured_percent : 0
  if (!isOptical(request))
    return unscored('The scene is not an optical image, which would show clouds.', measured_percent)
  if ('value' in files && files.value.source !== null) return files.value
  const isMade = 'value' in found && found.value.has_made_quicklook === true
  const image = isMade ? { reason: madeQuicklook } : await attempt(call, () => readQuicklook(call, request))
  if ('value' in image) return { ...image.value, source: 'quicklook', reason: null }
  const fileReason = 'value' in files ? (files.value.reason ?? '') : files.reason
  return unscored([...new Set([fileReason, image.reason])].join(' '), measured_percent)
}

const unknownBrightness = 'The files have no cloud mask, and it is not known how bright their pixels are.'
const madeQuicklook = 'The host has no quicklook but the one that is made from these files.'

type Attempt<T> = { readonly value: T } | { readonly reason: string }

/** Problems of the files of one scene, which do not keep the others from their scores. */
const fileProblems: ReadonlySet<string> = new Set(['unsupported-raster', 'budget-exceeded', 'upstream', 'forbidden'])

/** The value, or the message of a problem with the files of the scene. */
async function attempt<T>(call: Call, read: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await convertRasterFailures(read) }
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof Problem && fileProblems.has(error.problem)) return { reason: error.message }
    throw error
  }
}

async function findFiles(call: Call, { host, scene }: SceneAreaScoreRequest): Promise<HostSceneFiles> {
  const found = await callHost(host, host.sceneFiles?.(scene.id, call.signal) ?? Promise.resolve(null))
  return found ?? { scene, files: [] }
}

/**
 * Measures the files of a scene together with its auxiliary ones, then each of those alone, until one shows clouds. Throws
 * the problem of the first if none can be read.
 */
async function measureFiles(
  call: Call,
  { host, scene, area }: SceneAreaScoreRequest,
  { files, auxiliary = [] }: HostSceneFiles,
): Promise<CloudScore> {
  let pixels: number | null = null
  let failure: string | null = null
  for (const read of [[...files, ...auxiliary], ...auxiliary.map((file) => [file])]) {
    const measured = await attempt(call, async () =>
      measureCloudInArea(call, await describeSceneImage(call, host, { scene, files: read }), area),
    )
    if ('reason' in measured) failure ??= measured.reason
    else if (measured.value.source !== null) return { ...measured.value, reason: null }
    else pixels = Math.max(pixels ?? 0, measured.value.measured_percent)
  }
  return pixels === null ? unscored(failure ?? unknownBrightness) : unscored(unknownBrightness, pixels)
}

async function readQuicklook(
  call: Call,
  { host, scene, area, quicklookSignal }: SceneAreaScoreRequest,
): Promise<CloudPercentages> {
  const image = await callHost(host, host.quicklook(scene.id, quicklookSignal))
  if (!image) throw new Problem('unsupported-raster', 'The host has no quicklook of the scene that can be read.')
  if (image.is_stretched) throw new Problem('unsupported-raster', madeQuicklook)
  return estimateCloudFromQuicklook(call, { image, scene, area })
}

/** The values of `data_type` of collections whose images show no clouds. */
const cloudless: ReadonlySet<string> = new Set(['sar', 'radar', 'elevation'])

function isOptical({ host, scene }: SceneAreaScoreRequest): boolean {
  const data_type = findHostCollection(host, scene)?.data_type ?? ''
  return (
    !cloudless.has(data_type.toLowerCase()) && !Object.keys(scene.properties).some((name) => name.startsWith('sar:'))
  )
}
