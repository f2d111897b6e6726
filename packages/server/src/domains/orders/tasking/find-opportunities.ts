import { hour_ms } from '@swath/geo/time-units.ts'
import { readTaskingHostEnvironment } from '../../../platform/sandbox/host-environment.ts'
import type { TaskingOpportunity } from '@swath/contract/schemas/tasking.ts'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import type { PurchaseCall } from '../../../engine/call.ts'
import { validationProblem } from '../../../engine/problem.ts'
import type { HostOpportunity, TaskingCancelPolicy } from '../../../platform/integrations/tasking-host.ts'
import { callHost } from '../../catalog/hosts.ts'
import { findHostRefusal } from '../withdraw-from-hosts.ts'
import { priceHostTasks, toTaskingRequest, type PricedHostTask, type HostTaskRequestError } from './task-requests.ts'

/** The passes for one area. */
export interface HostTaskOpportunities {
  readonly task: PricedHostTask
  readonly opportunities: readonly HostOpportunity[]
}

/** Until when an acquisition can be cancelled; null: its policy names no time. */
export const computeCancelDeadline = (
  { hours_before_acquisition }: Pick<TaskingCancelPolicy, 'hours_before_acquisition'>,
  planned: Date,
): Date | null =>
  hours_before_acquisition === null ? null : new Date(planned.getTime() - hours_before_acquisition * hour_ms)

/** Asks the host of a task for its passes. Throws `validation` if the host refuses the area, or `upstream`. */
export async function requestTaskOpportunities(
  call: PurchaseCall,
  task: PricedHostTask,
): Promise<readonly HostOpportunity[]> {
  try {
    return await requestHostOpportunities(call, task)
  } catch (error) {
    const refusal = findHostRefusal(error)
    if (!refusal) throw error
    throw validationProblem([{ path: `groups.${task.index}`, message: refusal.message }])
  }
}

/** The passes as the host lists them. Throws its refusal, or `upstream`. */
export async function requestHostOpportunities(
  call: PurchaseCall,
  task: PricedHostTask,
): Promise<readonly HostOpportunity[]> {
  const { host, product, tasking } = task.offer
  const world = await readTaskingHostEnvironment(call.db, call.clock)
  const request = toTaskingRequest(product.id, task.geometry, task.constraints)
  return callHost(host, tasking.opportunities(world, request, call.signal))
}

interface ProductAreas {
  readonly dataProduct: string
  readonly featureCollection: { readonly features: readonly { readonly geometry: unknown }[] }
  readonly params?: Readonly<Record<string, unknown>> | null | undefined
}

/** The passes for each area of a data product, and the areas that cannot be acquired. Throws `validation` without areas. */
export async function findOpportunities(
  call: PurchaseCall,
  { dataProduct, featureCollection, params }: ProductAreas,
): Promise<{ readonly found: readonly HostTaskOpportunities[]; readonly faults: readonly HostTaskRequestError[] }> {
  const requests = featureCollection.features.map(({ geometry }) => ({ geometry, dataProduct, params: params ?? {} }))
  if (requests.length === 0 || requests.length > max_areas)
    throw validationProblem([{ path: 'featureCollection', message: `must have 1 to ${max_areas} features` }])
  const { tasks, faults } = await priceHostTasks(call, requests)
  const found: HostTaskOpportunities[] = []
  for (const task of tasks) found.push({ task, opportunities: await requestTaskOpportunities(call, task) })
  return { found, faults }
}

const max_areas = 20

/** A pass as it is returned, with the price of a task, which is that of the pass (`priceHostTaskForPass`). */
export const toTaskingOpportunity = (
  { offer, credits, index }: PricedHostTask,
  pass: HostOpportunity,
): TaskingOpportunity => ({
  id: pass.id,
  acquisitionStart: pass.from.toISOString(),
  acquisitionEnd: pass.to.toISOString(),
  sensor: pass.sensor,
  incidenceAngle: pass.incidence_deg,
  probability: pass.probability,
  maxCloudCover: pass.max_cloud_pct,
  creditsPrice: offer.product.workflow === 'quotation' ? null : credits,
  index,
  dataProduct: offer.id,
  satellite: pass.satellite,
  footprint: pass.footprint as unknown as TaskingOpportunity['footprint'],
  swath: pass.swath as unknown as TaskingOpportunity['swath'],
  groundTrack: pass.ground_track as unknown as Extract<Geometry, { type: 'MultiLineString' }> | null,
  offNadirAngle: pass.off_nadir_deg,
  viewAzimuth: pass.view_azimuth_deg,
  sunElevation: pass.sun_elevation_deg,
  sunAzimuth: pass.sun_azimuth_deg,
  coverage: pass.coverage,
  cloudCover: pass.cloud_pct,
  conflict: pass.conflict,
  cancelBy: computeCancelDeadline(offer.product.cancel_policy, pass.from)?.toISOString() ?? null,
})
