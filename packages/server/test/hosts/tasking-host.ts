import { hour_ms } from '@swath/geo/time-units.ts'
import { createFaultyHost, smallScenes } from './faulty-host.ts'
import { HostRefusal, type HostScene, type ImageryHost } from '../../src/platform/integrations/imagery-host.ts'
import type {
  HostTaskCollect,
  HostOpportunity,
  HostFeasibilityStudy,
  HostTaskStatus,
  TaskingHostEnvironment,
  TaskingHost,
  TaskingProduct,
  TaskingRequest,
} from '../../src/platform/integrations/tasking-host.ts'

/** A satellite passes at noon and at midnight (UTC), for ten minutes. */
const pass_period_ms = 12 * hour_ms
const pass_ms = 600_000

const sensor = {
  id: 'msi',
  title: 'A multispectral imager',
  provider: 'Test Space',
  satellites: ['TEST-1'],
  gsd_m: 0.5,
  swath_km: 20,
  max_off_nadir_deg: 30,
  bands: [{ name: 'red', common_name: 'red' }],
}

/** The price of every product per km², and the fee of a late cancellation. */
export const rate_credits = 100
const products: readonly TaskingProduct[] = (['direct', 'study', 'quotation'] as const).map((workflow) => ({
  id: workflow,
  title: `Tasking, ${workflow}`,
  description: 'Acquires an area.',
  sensors: [sensor.id],
  workflow,
  price: { product: `Tasking, ${workflow}`, rate_credits, minimum_km2: 1, licences: ['standard'] },
  cancel_policy: { hours_before_acquisition: 6, fee_pct: 10 },
  min_area_km2: 0.01,
  max_area_km2: 10_000,
  max_window_days: 30,
  eula: null,
}))

interface Task {
  readonly id: string
  readonly request: TaskingRequest
  readonly replan: boolean
  /** The planned pass. */
  readonly pass: number
  readonly scene: string
  isCancelled: boolean
}

export interface TestTaskingHost extends ImageryHost {
  readonly tasking: TaskingHost
  /** Ids of the tasks submitted to it, in order; a task submitted twice appears twice. */
  readonly placedTaskIds: readonly string[]
  readonly cancelledReferences: readonly string[]
  /** Passes in which clouds are, by number from the first of the window. */
  readonly cloudyPasses: Set<number>
  /** Passes that are occupied by another task. */
  readonly occupiedPasses: Set<number>
  /** Names of satellites' areas whose tasks are refused: the number of the task, from 0. */
  readonly refusedTasks: Set<number>
  /** The state of its studies; `null`: it has no answer yet. */
  study: 'ready' | 'infeasible' | null
}

/** Deterministic: the passes follow from the window, and the stage of a task from the time of the world. */
export async function createTaskingHost(name: string): Promise<TestTaskingHost> {
  const base = await createFaultyHost(name)
  const tasks = new Map<string, Task>()
  const placedTaskIds: string[] = []
  const cancelledReferences: string[] = []
  const behaviour = {
    cloudyPasses: new Set<number>(),
    occupiedPasses: new Set<number>(),
    refusedTasks: new Set<number>(),
    study: 'ready' as TestTaskingHost['study'],
  }
  const host: TestTaskingHost = {
    ...base,
    ...behaviour,
    placedTaskIds,
    cancelledReferences,
    deliveries: async (reference, signal) => {
      const { scene } = tasks.get(reference)!
      const placed = await base.place({ id: reference, scenes: [scene] }, signal)
      return base.deliveries(placed.reference, signal)
    },
    tasking: {
      sensors: [sensor],
      products,
      opportunities: async (_world, request) =>
        passesOf(request).map((from, index) => toOpportunity(request, from, host.occupiedPasses.has(index))),
      requestStudy: async (world, { request }) => studyOf(host, world, request),
      placeTask: async (_world, { id, request, opportunity, replan }) => {
        placedTaskIds.push(id)
        const earlier = tasks.get(id)
        if (earlier) return { reference: id }
        if (host.refusedTasks.has(tasks.size)) {
          tasks.set(id, { id, request, replan, pass: 0, scene: '', isCancelled: true })
          throw new HostRefusal('The area may not be acquired.')
        }
        const passes = passesOf(request)
        const chosen = passes.findIndex((from) => passId(from) === opportunity)
        const scene = smallScenes[tasks.size % smallScenes.length]!
        tasks.set(id, {
          id,
          request,
          replan,
          pass: chosen === -1 ? passes.findIndex((_from, index) => !host.occupiedPasses.has(index)) : chosen,
          scene,
          isCancelled: false,
        })
        return { reference: id }
      },
      taskStatus: async (world, reference) => {
        const task = tasks.get(reference)!
        const [scene] = await base.search({ ids: [task.scene], limit: 1 })
        return statusOf(host, world, { task, scene: scene! })
      },
      cancelTask: async (_world, reference) => {
        cancelledReferences.push(reference)
        tasks.get(reference)!.isCancelled = true
      },
    },
  }
  return host
}

const passId = (from: Date): string => `pass-${from.toISOString()}`

function passesOf({ from, to }: TaskingRequest): Date[] {
  const first = Math.ceil(from.getTime() / pass_period_ms) * pass_period_ms
  const count = Math.max(0, Math.ceil((to.getTime() - first) / pass_period_ms))
  return Array.from({ length: count }, (_none, index) => new Date(first + index * pass_period_ms))
}

const toOpportunity = ({ geometry }: TaskingRequest, from: Date, isOccupied: boolean): HostOpportunity => ({
  id: passId(from),
  satellite: 'TEST-1',
  sensor: sensor.id,
  from,
  to: new Date(from.getTime() + pass_ms),
  footprint: geometry,
  swath: geometry,
  ground_track: { type: 'MultiLineString', coordinates: [[[0, 0], [1, 10]]] },
  off_nadir_deg: 12.5,
  view_azimuth_deg: 98,
  incidence_deg: 13.4,
  sun_elevation_deg: 41,
  sun_azimuth_deg: 180,
  coverage: 1,
  cloud_pct: 30,
  probability: 0.7,
  max_cloud_pct: 20,
  conflict: isOccupied ? 'task-of-somebody' : null,
}) // prettier-ignore

function studyOf(host: TestTaskingHost, _world: TaskingHostEnvironment, request: TaskingRequest): HostFeasibilityStudy {
  if (host.study === null) return { state: 'waiting' }
  if (host.study === 'infeasible') return { state: 'infeasible', reason: 'The area is always in the dark.' }
  const [first, second] = passesOf(request)
  const option = (from: Date, price_factor: number) => ({
    id: passId(from),
    description: `The pass of ${from.toISOString()}`,
    from,
    to: request.to,
    probability: 0.9,
    price_factor,
  })
  return { state: 'ready', options: [option(first!, 1.5), option(second!, 1)] }
}

/** Tasked an hour before the pass, collected after it, then a stage per hour. */
function statusOf(
  host: TestTaskingHost,
  world: TaskingHostEnvironment,
  parts: { task: Task; scene: HostScene },
): HostTaskStatus {
  const { task, scene } = parts
  const none = { reason_code: null, reason: null, collects: [], scene: null, next_change_at: null }
  if (task.isCancelled) return { ...none, stage: 'cancelled' }
  const passes = passesOf(task.request)
  const collects: HostTaskCollect[] = []
  for (const [index, from] of passes.entries()) {
    if (index < task.pass) continue
    const isCloudy = host.cloudyPasses.has(index)
    const isOver = world.now >= new Date(from.getTime() + pass_ms)
    const cloud = isCloudy ? 95 : 5
    collects.push({
      opportunity: passId(from),
      satellite: 'TEST-1',
      at: from,
      cloud_pct: isOver ? cloud : null,
      accepted: isOver ? !isCloudy : null,
    })
    if (!isOver || !isCloudy) return { ...none, ...stageOf(world, from, scene), collects }
    if (!task.replan) break
  }
  return { ...none, stage: 'failed', reason_code: 'cloud_cover', reason: 'Clouds covered the area.', collects }
}

function stageOf(
  { now }: TaskingHostEnvironment,
  from: Date,
  scene: HostScene,
): Pick<HostTaskStatus, 'stage' | 'scene' | 'next_change_at'> {
  const steps = [
    ['scheduled', from.getTime() - hour_ms],
    ['tasked', from.getTime() + pass_ms],
    ['collected', from.getTime() + pass_ms + hour_ms],
    ['downlinked', from.getTime() + pass_ms + 2 * hour_ms],
    ['processing', from.getTime() + pass_ms + 3 * hour_ms],
  ] as const
  const step = steps.find(([, until]) => now.getTime() < until)
  if (!step) return { stage: 'ready', scene, next_change_at: null }
  return { stage: step[0], scene: null, next_change_at: new Date(step[1]) }
}
