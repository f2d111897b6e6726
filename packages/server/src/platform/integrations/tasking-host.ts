import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { HostOrderReference, HostPrice, HostScene } from './host-types.ts'

/** The tasks that a host sees, and the time. Real organizations share one world; each sandbox has its own. */
export interface TaskingHostEnvironment {
  /** `live`, or the id of a sandbox organization. */
  readonly id: string
  /** The time on the clock of the ordering organization. */
  readonly now: Date
  /** The seed of a simulated host: the same seed, calls and times give the same outcomes. Other hosts ignore it. */
  readonly seed: string
}

/**
 * Pricing of a task. `direct`: when the task is placed. `study`: the host answers with options, of
 * which the customer accepts one. `quotation`: the provider offers a price for the task as a whole.
 */
export type TaskingWorkflow = 'direct' | 'study' | 'quotation'

/** Until when an accepted task can be cancelled, and what that costs. */
export interface TaskingCancelPolicy {
  /** Hours before the planned acquisition; null: never once the host has accepted the task. */
  readonly hours_before_acquisition: number | null
  /** Per cent of the price, 0 to 100. */
  readonly fee_pct: number
}

export interface TaskingBand {
  readonly name: string
  /** `red`, `nir`, … (STAC eo); null if none applies. */
  readonly common_name: string | null
}

/** A kind of instrument that can be tasked. */
export interface TaskingSensorDescription {
  readonly id: string
  readonly title: string
  readonly provider: string
  /** Names of the satellites that carry it. */
  readonly satellites: readonly string[]
  /** Ground sample distance at nadir in metres. */
  readonly gsd_m: number
  readonly swath_km: number
  /** The largest off-nadir angle in degrees. */
  readonly max_off_nadir_deg: number
  readonly bands: readonly TaskingBand[]
}

/** A product that a host acquires on order. */
export interface TaskingProduct {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Ids of `TaskingHost.sensors`. */
  readonly sensors: readonly string[]
  readonly workflow: TaskingWorkflow
  readonly price: HostPrice
  readonly cancel_policy: TaskingCancelPolicy
  readonly min_area_km2: number
  readonly max_area_km2: number
  readonly max_window_days: number
  /** The name of the licence agreement to accept before an order; null: none. */
  readonly eula: string | null
}

/** The requested acquisition. Constraints that are absent are those of the sensor. */
export interface TaskingRequest {
  readonly product: string
  readonly geometry: AreaGeometry
  /** Start and end of the acquisition window. */
  readonly from: Date
  readonly to: Date
  /** Only this sensor of the product. */
  readonly sensor?: string
  readonly max_cloud_pct?: number
  readonly max_off_nadir_deg?: number
  readonly min_sun_elevation_deg?: number
}

/** A pass of a satellite in which the area can be acquired. Hosts that predict no figure say null. */
export interface HostOpportunity {
  /** Stable: the same pass has the same id in later calls. */
  readonly id: string
  /** Null if the host does not say which. */
  readonly satellite: string | null
  readonly sensor: string
  readonly from: Date
  readonly to: Date
  /** The part of the area that the pass can acquire. */
  readonly footprint: AreaGeometry
  /** The strip on the ground that the instrument sees at this angle, for maps. */
  readonly swath: AreaGeometry | null
  /** The subsatellite points, [longitude, latitude], split at the antimeridian. */
  readonly ground_track: {
    readonly type: 'MultiLineString'
    readonly coordinates: readonly (readonly number[])[][]
  } | null
  readonly off_nadir_deg: number | null
  /** Direction from the area to the satellite, degrees clockwise from north. */
  readonly view_azimuth_deg: number | null
  /** At the area, between straight up and the satellite. */
  readonly incidence_deg: number | null
  readonly sun_elevation_deg: number | null
  readonly sun_azimuth_deg: number | null
  /** The share of the area that the pass can acquire, 0 to 1. */
  readonly coverage: number
  /** The expected cloud cover, per cent. */
  readonly cloud_pct: number | null
  /** The probability that the part that the pass reaches has at most `max_cloud_pct` cloud, 0 to 1. */
  readonly probability: number | null
  /** The cloud cover that `probability` permits, per cent: that of the request, or what the host takes for usable. */
  readonly max_cloud_pct: number | null
  /** The task of the same satellite that occupies the pass; null if it is free. */
  readonly conflict: string | null
}

/** An opportunity of a host that predicts every figure. */
export type PredictedOpportunity = Pick<HostOpportunity, 'conflict'> & {
  readonly [Name in Exclude<keyof HostOpportunity, 'conflict'>]: NonNullable<HostOpportunity[Name]>
}

/** An option of an automatic feasibility study. */
export interface HostStudyOption {
  readonly id: string
  readonly description: string
  readonly from: Date
  readonly to: Date
  readonly probability: number
  /** The price of the option as a factor of that of the product; 1 is the price of the product. */
  readonly price_factor: number
}

export type HostFeasibilityStudy =
  | { readonly state: 'waiting' }
  | { readonly state: 'infeasible'; readonly reason: string }
  | { readonly state: 'ready'; readonly options: readonly HostStudyOption[] }

/** The stages of an accepted task, in order. */
export const hostTaskStages = [
  'accepted',
  'scheduled',
  'tasked',
  'collected',
  'downlinked',
  'processing',
  'ready',
] as const
export type HostTaskStage = (typeof hostTaskStages)[number]

/** One collection of a task: the execution, as opposed to the intent. */
export interface HostTaskCollect {
  readonly opportunity: string
  readonly satellite: string
  readonly at: Date
  /** Null while it is only planned. */
  readonly cloud_pct: number | null
  /** True if it satisfies the constraints; null while it is only planned. */
  readonly accepted: boolean | null
}

export interface HostTaskStatus {
  /** `rejected`, `failed` and `expired` end a task without delivery. */
  readonly stage: HostTaskStage | 'rejected' | 'failed' | 'expired' | 'cancelled'
  /** The reason code of STAPI, such as `cloud_cover`, `competition` or `invalid_geometry`; null without a reason. */
  readonly reason_code: string | null
  readonly reason: string | null
  readonly collects: readonly HostTaskCollect[]
  /** The acquired scene, from the stage `ready` on: `ImageryHost.deliveries` has its files. */
  readonly scene: HostScene | null
  /** The time when the host should be polled again; null if it names none. */
  readonly next_change_at: Date | null
}

/** A host that takes tasks, beyond `ImageryHost`. Every method may throw; none is called inside a transaction. */
export interface TaskingHost {
  readonly sensors: readonly TaskingSensorDescription[]
  readonly products: readonly TaskingProduct[]
  /** The passes of the window that can acquire the area or part of it, soonest first. */
  opportunities(
    world: TaskingHostEnvironment,
    request: TaskingRequest,
    signal?: AbortSignal,
  ): Promise<readonly HostOpportunity[]>
  /** Asks for a study of the order; safe to repeat. Absent: the provider answers through an operator. */
  requestStudy?(
    world: TaskingHostEnvironment,
    order: { id: string; request: TaskingRequest },
    signal?: AbortSignal,
  ): Promise<HostFeasibilityStudy>
  /** Places a task; an id is accepted once, and placing it again returns the same reference. Throws `HostRefusal`. */
  placeTask(
    world: TaskingHostEnvironment,
    order: {
      readonly id: string
      readonly request: TaskingRequest
      /** The chosen pass, or null for the best one; options of a study are passed by their id. */
      readonly opportunity: string | null
      /** True to try the next pass by itself after a collection that does not satisfy the constraints. */
      readonly replan: boolean
    },
    signal?: AbortSignal,
  ): Promise<HostOrderReference>
  taskStatus(world: TaskingHostEnvironment, reference: string, signal?: AbortSignal): Promise<HostTaskStatus>
  /** Safe to repeat; throws `HostRefusal` if it is too late. */
  cancelTask(world: TaskingHostEnvironment, reference: string, signal?: AbortSignal): Promise<void>
  /** Forgets all tasks and studies of a sandbox organization, when it is reset. Absent: the host keeps them. */
  deleteWorld?(world: string, signal?: AbortSignal): Promise<void>
}
