import { createHash } from 'node:crypto'
import { computeAreaCenter } from '@swath/geo/orbit/area-points.ts'
import type { Database } from '../../../database/database.ts'
import { HostRefusal } from '../../imagery-host.ts'
import type { HostOpportunity, TaskingHostEnvironment, TaskingHost, TaskingRequest } from '../../tasking-host.ts'
import { simulateCloudCover_pct } from './cloud-climate.ts'
import { findPlannedPasses, type PlannedPass } from './opportunities.ts'
import { toStudyOptionRequest, studyOptions, type StudyOptionId } from './study.ts'
import type { ConstellationSatellites } from './constellation-satellites.ts'
import * as store from './store.ts'

export type ConstellationTaskOrder = Parameters<TaskingHost['placeTask']>[1]

export interface BookingDependencies {
  readonly database: Database
  readonly sky: ConstellationSatellites
}

/** Attempts of a task that is re-planned after clouded collections. */
const max_attempts = 6
/** Longer than any `slew_s`. */
const max_slew_ms = 600_000
/** The id of an opportunity changes with its minute; the same pass is found within this time. */
const same_pass_ms = 300_000

/** True if a satellite that acquires at one time cannot acquire at the other. */
const overlaps = (pass: PlannedPass, { satellite, acquired_at }: store.OccupiedPass): boolean =>
  !pass.is_shared &&
  satellite === pass.satellite &&
  Math.abs(acquired_at.getTime() - pass.at.getTime()) < pass.slew_s * 1000

/**
 * A pseudonym of the task that occupies a pass: the same text for the same task, which does not reveal its id, since it
 * may be that of another organization.
 */
export const derivePassConflictPseudonym = (world: string, task: string): string =>
  `task-${createHash('sha256')
    .update(JSON.stringify([world, task]))
    .digest('hex')
    .slice(0, 12)}`

/** The passes as hosts list them, with what occupies them. */
export async function listHostOpportunities(
  { database, sky }: BookingDependencies,
  world: TaskingHostEnvironment,
  request: TaskingRequest,
  signal?: AbortSignal,
): Promise<HostOpportunity[]> {
  const passes = await findPlannedPasses(sky, request, world.now, signal)
  const booked = await store.listOccupiedPasses(database.unscoped, world.id, around(passes))
  return passes.map((pass) => {
    const { at: _, is_shared: __, slew_s: ___, ...opportunity } = pass
    const occupant = booked.find((one) => overlaps(pass, one))
    return { ...opportunity, conflict: occupant ? derivePassConflictPseudonym(world.id, occupant.task_id) : null }
  })
}

const around = (passes: readonly PlannedPass[]): { from: Date; to: Date } => ({
  from: new Date((passes[0]?.at.getTime() ?? 0) - max_slew_ms),
  to: new Date((passes.at(-1)?.at.getTime() ?? 0) + max_slew_ms),
})

/**
 * Reserves the passes of a task, once: an order that was placed has its reference already. The outcome of a pass depends on
 * the seed, the place and the time alone, so the passes of the re-planning are booked with the first one, up to that which
 * will satisfy the constraints. Throws `HostRefusal` if the pass is occupied, or none is left.
 */
export async function placeConstellationTask(
  { database, sky }: BookingDependencies,
  world: TaskingHostEnvironment,
  order: ConstellationTaskOrder,
  signal?: AbortSignal,
): Promise<void> {
  if (await store.findConstellationTask(database.unscoped, world.id, order.id)) return
  const option = studyOptions.find(({ id }) => id === order.opportunity)
  const request = option ? toStudyOptionRequest(order.request, option.id) : order.request
  const passes = await findPlannedPasses(sky, request, world.now, signal)
  const chosen = order.opportunity === null || option ? null : findChosenPass(passes, order.opportunity)
  const outcome = createOutcome(world.seed, request)
  await database.unscoped.transaction(async (tx) => {
    await store.lockSatelliteSchedules(tx, world.id, [...new Set(passes.map(({ satellite }) => satellite))])
    const { geometry, max_cloud_pct = null } = request
    const isNew = await store.insertConstellationTask(tx, {
      world_id: world.id,
      id: order.id,
      product: request.product,
      request: { geometry, max_cloud_pct },
      replan: order.replan,
      placed_at: world.now,
      cancelled_at: null,
      released_at: null,
    })
    if (!isNew) return
    const booked = await store.listOccupiedPasses(tx, world.id, around(passes))
    const free = passes.filter((pass) => !booked.some((one) => overlaps(pass, one)))
    const attempts = attemptsOf(order, option?.id ?? null)
    for (const [number, pass] of planAttempts(free, chosen, attempts, outcome).entries())
      await store.insertConstellationTaskCollect(tx, {
        world_id: world.id,
        task_id: order.id,
        number,
        ...outcome(pass),
        ...toCollect(pass),
      })
  })
}

interface Outcome {
  readonly cloud_pct: number
  readonly is_accepted: boolean
}

function createOutcome(
  seed: string,
  { geometry, max_cloud_pct = 100 }: TaskingRequest,
): (pass: PlannedPass) => Outcome {
  const center = computeAreaCenter(geometry)
  return ({ at }) => {
    const cloud_pct = simulateCloudCover_pct(seed, center, at)
    return { cloud_pct, is_accepted: cloud_pct <= max_cloud_pct }
  }
}

function attemptsOf({ replan }: ConstellationTaskOrder, option: StudyOptionId | null): number {
  const included = option === null ? 1 : studyOptions.find(({ id }) => id === option)!.attempts
  return replan ? Math.max(max_attempts, included) : included
}

/** Ids name the minute of a pass; one that was listed for the same request is found although the minute has turned. */
function findChosenPass(passes: readonly PlannedPass[], id: string): PlannedPass {
  const exact = passes.find((pass) => pass.id === id)
  if (exact) return exact
  const [, key = '', text = ''] = /^(.+)-(\d{8}T\d{4})Z$/.exec(id) ?? []
  const time_ms = Date.parse(text.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})$/, '$1-$2-$3T$4:$5:00Z'))
  const near = passes.find(
    (pass) => pass.id.startsWith(`${key}-`) && Math.abs(pass.at.getTime() - time_ms) < same_pass_ms,
  )
  if (!near) throw new HostRefusal(`The pass "${id}" does not exist or is over.`, 'invalid_opportunity')
  return near
}

/** The passes to reserve: the chosen or the best one, and the next ones until one satisfies the constraints. */
function planAttempts(
  free: readonly PlannedPass[],
  chosen: PlannedPass | null,
  attempts: number,
  outcome: (pass: PlannedPass) => Outcome,
): PlannedPass[] {
  if (chosen && !free.includes(chosen))
    throw new HostRefusal('Another task of the satellite occupies the pass.', 'competition')
  const first = chosen ?? bestOf(free)
  if (!first) throw new HostRefusal('No pass of the window is free.', 'competition')
  const planned = [first]
  for (const pass of free) {
    const last = planned.at(-1)!
    if (outcome(last).is_accepted || planned.length >= attempts) break
    if (pass.at.getTime() > last.at.getTime() + same_pass_ms) planned.push(pass)
  }
  return planned
}

/** The pass that most probably acquires most of the area; the soonest of equals. */
function bestOf(passes: readonly PlannedPass[]): PlannedPass | null {
  const value = ({ probability, coverage }: PlannedPass): number => probability * coverage
  return passes.reduce<PlannedPass | null>((best, pass) => (best && value(best) >= value(pass) ? best : pass), null)
}

const toCollect = (
  pass: PlannedPass,
): Pick<store.CollectRow, 'satellite' | 'acquired_at' | 'is_shared' | 'opportunity'> => ({
  satellite: pass.satellite,
  acquired_at: pass.at,
  is_shared: pass.is_shared,
  opportunity: {
    id: pass.id,
    sensor: pass.sensor,
    footprint: pass.footprint,
    off_nadir_deg: pass.off_nadir_deg,
    view_azimuth_deg: pass.view_azimuth_deg,
    incidence_deg: pass.incidence_deg,
    sun_elevation_deg: pass.sun_elevation_deg,
    sun_azimuth_deg: pass.sun_azimuth_deg,
  },
})
