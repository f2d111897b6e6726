import { join } from 'node:path'
import type { Database } from '../../../database/database.ts'
import { type HostOrderDelivery, HostRefusal, type HostScene, type ImageryHost } from '../../imagery-host.ts'
import type {
  HostTaskCollect,
  HostTaskStatus,
  TaskingHostEnvironment,
  HostTaskStage,
  TaskingHost,
} from '../../tasking-host.ts'
import { readDemoScenes } from '../demo/demo-scenes.ts'
import {
  type SimulatedSceneDependencies,
  type WriteSimulatedImage,
  describeSimulatedScene,
  createCollectFile,
} from './acquired-scene.ts'
import { listHostOpportunities, placeConstellationTask } from './bookings.ts'
import { requirePermittedTaskingRequest } from './opportunities.ts'
import { constellationCollections, constellationProducts, requireConstellationProduct } from './products.ts'
import { constellationSensors } from './sensors.ts'
import { readConstellationSatellites } from './constellation-satellites.ts'
import { listSimulationSourceScenes } from './source-scenes.ts'
import * as store from './store.ts'
import type { CollectRow, ConstellationTaskRow } from './store.ts'
import { computeFeasibilityStudy } from './study.ts'
import { minute_ms } from '@swath/geo/time-units.ts'

/** After the order was placed. */
const scheduled_after_ms = 10 * minute_ms
/** Before the acquisition: the satellite has its commands. */
const tasked_before_ms = 45 * minute_ms
/** After the acquisition. */
const stagesAfter: readonly { readonly stage: HostTaskStage; readonly after_ms: number }[] = [
  { stage: 'collected', after_ms: 0 },
  { stage: 'downlinked', after_ms: 25 * minute_ms },
  { stage: 'processing', after_ms: 70 * minute_ms },
  { stage: 'ready', after_ms: 180 * minute_ms },
]

interface StageAtTime {
  readonly stage: HostTaskStage
  readonly next_ms: number | null
}

/** The state of a task at a time, from its rows alone. `toScene` describes the acquired image. */
function taskStatusAt(
  task: ConstellationTaskRow,
  collects: readonly CollectRow[],
  now: Date,
  toScene: (collect: CollectRow) => HostScene,
): HostTaskStatus {
  const now_ms = now.getTime()
  const current = collects.find(({ acquired_at, is_accepted }) => acquired_at.getTime() > now_ms || is_accepted)
  const flown = collects.slice(0, current ? collects.indexOf(current) + 1 : undefined)
  const status = {
    reason_code: null,
    reason: null,
    collects: flown.map((collect) => toHostCollect(collect, now_ms)),
    scene: null,
    next_change_at: null,
  }
  if (task.cancelled_at)
    return { ...status, stage: 'cancelled', reason_code: 'user_cancelled', reason: 'The customer cancelled the task.' }
  if (!current) {
    const reason = `Clouds covered more than ${task.request.max_cloud_pct ?? 100} per cent in all acquisitions.`
    return { ...status, stage: task.replan ? 'expired' : 'failed', reason_code: 'cloud_cover', reason }
  }
  const { stage, next_ms } = stageOf(task, current, current === collects[0], now_ms)
  return {
    ...status,
    stage,
    scene: stage === 'ready' ? toScene(current) : null,
    next_change_at: next_ms === null ? null : new Date(next_ms),
  }
}

function stageOf(task: ConstellationTaskRow, current: CollectRow, isFirst: boolean, now_ms: number): StageAtTime {
  const acquired_ms = current.acquired_at.getTime()
  if (now_ms < acquired_ms) {
    const scheduled_ms = task.placed_at.getTime() + scheduled_after_ms
    const tasked_ms = acquired_ms - tasked_before_ms
    if (isFirst && now_ms < Math.min(scheduled_ms, tasked_ms))
      return { stage: 'accepted', next_ms: Math.min(scheduled_ms, tasked_ms) }
    return now_ms < tasked_ms ? { stage: 'scheduled', next_ms: tasked_ms } : { stage: 'tasked', next_ms: acquired_ms }
  }
  const index = stagesAfter.findLastIndex(({ after_ms }) => now_ms >= acquired_ms + after_ms)
  const next = stagesAfter[index + 1]
  return { stage: stagesAfter[index]!.stage, next_ms: next ? acquired_ms + next.after_ms : null }
}

const toHostCollect = (collect: CollectRow, now_ms: number): HostTaskCollect => {
  const isFlown = collect.acquired_at.getTime() <= now_ms
  return {
    opportunity: collect.opportunity.id,
    satellite: collect.satellite,
    at: collect.acquired_at,
    cloud_pct: isFlown ? collect.cloud_pct : null,
    accepted: isFlown ? collect.is_accepted : null,
  }
}

export interface ConstellationOptions {
  /** The database of bookings, so that all processes agree. */
  readonly database: Database
  /** The folder of the demonstration: `orbits/elements.tle`, and the scenes that pixels are taken from. */
  readonly demoDir: string
  readonly writeImage: WriteSimulatedImage
}

type Dependencies = SimulatedSceneDependencies & Pick<ConstellationOptions, 'database'>

/**
 * A simulated provider that flies real satellites and takes tasks. Orbits, sun and angles are those of the element sets;
 * clouds follow a climatology and the seed of the world; pixels are those of real scenes, put at the place of the task.
 */
export async function createConstellationHost({
  database,
  demoDir,
  writeImage,
}: ConstellationOptions): Promise<ImageryHost & { readonly tasking: TaskingHost }> {
  const sky = await readConstellationSatellites(join(demoDir, 'orbits', 'elements.tle'))
  const sources = listSimulationSourceScenes(demoDir, await readDemoScenes(demoDir))
  const dependencies: Dependencies = { database, sky, sources, write: writeImage }
  return {
    name: 'constellation',
    title: 'Constellation (demonstration)',
    description: 'Real satellites in simulated operation, which take tasks and deliver simulated scenes.',
    access_model: 'commercial',
    scope: 'global',
    countries: [],
    attribution: constellationCollections[0]!.attribution,
    license: 'proprietary',
    license_url: constellationCollections[0]!.license_url,
    providers: [...new Set(constellationSensors.map(({ provider }) => provider))].map((name) => ({
      name,
      roles: ['producer'],
    })),
    collections: constellationCollections,
    delivers_later: true,
    search: async () => [],
    quicklook: async () => null,
    place: async () => {
      throw new HostRefusal('The constellation has no archive; it takes tasks.')
    },
    deliveries: (reference) => deliverScene(dependencies, reference),
    tasking: createTasking(dependencies),
  }
}

function createTasking(dependencies: Dependencies): TaskingHost {
  const { database, sky } = dependencies
  return {
    sensors: constellationSensors,
    products: constellationProducts,
    opportunities: (world, request, signal) => listHostOpportunities(dependencies, world, request, signal),
    async requestStudy(world, { id, request }, signal) {
      requirePermittedTaskingRequest(request)
      const requested_at = await store.insertStudyTime(database.unscoped, world.id, id, world.now)
      return computeFeasibilityStudy(sky, { request, requested_at }, world.now, signal)
    },
    async placeTask(world, order, signal) {
      await placeConstellationTask(dependencies, world, order, signal)
      return { reference: toReference(world.id, order.id) }
    },
    async taskStatus(world, reference) {
      const { task, collects } = await requireTask(dependencies, reference, world)
      const status = taskStatusAt(task, collects, world.now, (collect) =>
        describeSimulatedScene(dependencies, task, collect),
      )
      if (status.scene && !task.released_at)
        await store.markConstellationSceneReleased(database.unscoped, task.world_id, task.id, world.now)
      return status
    },
    cancelTask: (world, reference) => cancelTask(dependencies, world, reference),
    deleteWorld: (world) => database.unscoped.transaction((tx) => store.deleteTaskingHostEnvironment(tx, world)),
  }
}

const toReference = (world: string, id: string): string => JSON.stringify([world, id])

function parseReference(reference: string): { world: string; id: string } {
  try {
    const parsed: unknown = JSON.parse(reference)
    if (Array.isArray(parsed) && typeof parsed[0] === 'string' && typeof parsed[1] === 'string')
      return { world: parsed[0], id: parsed[1] }
  } catch {
    // Answered below, like any other text.
  }
  throw new HostRefusal('The constellation has no such task.', 'unknown_task')
}

interface StoredTask {
  readonly task: store.ConstellationTaskRow
  readonly collects: readonly store.CollectRow[]
}

async function requireTask(
  { database }: Dependencies,
  reference: string,
  world?: TaskingHostEnvironment,
): Promise<StoredTask> {
  const { world: world_id, id } = parseReference(reference)
  const task =
    world && world.id !== world_id ? null : await store.findConstellationTask(database.unscoped, world_id, id)
  if (!task) throw new HostRefusal('The constellation has no such task.', 'unknown_task')
  return { task, collects: await store.listConstellationTaskCollects(database.unscoped, world_id, id) }
}

async function deliverScene(dependencies: Dependencies, reference: string): Promise<HostOrderDelivery> {
  const { task, collects } = await requireTask(dependencies, reference)
  if (task.cancelled_at) return { state: 'refused', reason: 'The task was cancelled.' }
  const accepted = collects.find(({ is_accepted }) => is_accepted)
  if (!accepted || !task.released_at) return { state: 'waiting' }
  return { state: 'ready', files: [createCollectFile(dependencies, task, accepted)] }
}

/** A task that was cancelled stays so; one whose next acquisition is too near, or that has ended, is refused. */
async function cancelTask({ database }: Dependencies, world: TaskingHostEnvironment, reference: string): Promise<void> {
  const { world: world_id, id } = parseReference(reference)
  await database.unscoped.transaction(async (tx) => {
    const task = world.id === world_id ? await store.lockConstellationTask(tx, world_id, id) : null
    if (!task) throw new HostRefusal('The constellation has no such task.', 'unknown_task')
    if (task.cancelled_at) return
    const collects = await store.listConstellationTaskCollects(tx, world_id, id)
    const hours = requireConstellationProduct(task.product).cancel_policy.hours_before_acquisition
    const flown = collects.filter(({ acquired_at }) => acquired_at <= world.now)
    const next = flown.some(({ is_accepted }) => is_accepted) ? undefined : collects[flown.length]
    if (hours === null || !next || next.acquired_at.getTime() - world.now.getTime() < hours * 3600 * 1000)
      throw new HostRefusal('It is too late to cancel the task.', 'too_late')
    await store.markConstellationTaskCancelled(tx, world_id, id, world.now)
  })
}
