import { day_ms } from '@swath/geo/time-units.ts'
import { HostRefusal } from '../../imagery-host.ts'
import type { HostFeasibilityStudy, HostStudyOption, TaskingRequest } from '../../tasking-host.ts'
import { findPlannedPasses, type PlannedPass } from './opportunities.ts'
import { requireConstellationProduct } from './products.ts'
import type { ConstellationSatellites } from './constellation-satellites.ts'

/** The options of a study: the requested window, more attempts at a higher price, or a longer window at a lower one. */
export const studyOptions = [
  { id: 'standard', attempts: 3, window_factor: 1, price_factor: 1, description: 'Up to 3 attempts in the window.' },
  { id: 'priority', attempts: 8, window_factor: 1, price_factor: 1.6, description: 'Up to 8 attempts in the window.' },
  {
    id: 'extended',
    attempts: 6,
    window_factor: 1.5,
    price_factor: 0.9,
    description: 'Up to 6 attempts in a window that is half as long again.',
  },
] as const

export type StudyOptionId = (typeof studyOptions)[number]['id']
type StudyOption = (typeof studyOptions)[number]

/** The duration of a study. */
export const feasibility_study_duration_ms = 30 * 60 * 1000

/** The request with the window of an option. */
export function toStudyOptionRequest(request: TaskingRequest, id: StudyOptionId): TaskingRequest {
  const { window_factor } = studyOptions.find((option) => option.id === id)!
  const { max_window_days } = requireConstellationProduct(request.product)
  const window_ms = (request.to.getTime() - request.from.getTime()) * window_factor
  return { ...request, to: new Date(request.from.getTime() + Math.min(window_ms, max_window_days * day_ms)) }
}

export interface RequestedFeasibilityStudy {
  readonly request: TaskingRequest
  /** The time of the first request. */
  readonly requested_at: Date
}

/**
 * The study of a request. The options are those of that time, whenever they are read.
 * Throws `HostRefusal` for a product without studies, and for a request that it does not permit.
 */
export async function computeFeasibilityStudy(
  sky: ConstellationSatellites,
  { request, requested_at }: RequestedFeasibilityStudy,
  now: Date,
  signal?: AbortSignal,
): Promise<HostFeasibilityStudy> {
  const product = requireConstellationProduct(request.product)
  if (product.workflow !== 'study') throw new HostRefusal('The product is sold without a study.', 'invalid_product')
  if (now.getTime() < requested_at.getTime() + feasibility_study_duration_ms) return { state: 'waiting' }
  const options: HostStudyOption[] = []
  for (const option of studyOptions) {
    const { from, to } = toStudyOptionRequest(request, option.id)
    const passes = await findPlannedPasses(sky, { ...request, from, to }, requested_at, signal)
    if (passes.length > 0) options.push(toStudyOption(option, { from, to }, passes))
  }
  return options.length > 0
    ? { state: 'ready', options }
    : { state: 'infeasible', reason: 'No satellite passes the area in the window under these constraints.' }
}

const toStudyOption = (
  { id, description, attempts, price_factor }: StudyOption,
  window: { readonly from: Date; readonly to: Date },
  passes: readonly PlannedPass[],
): HostStudyOption => ({ id, description, ...window, price_factor, probability: probabilityOf(passes, attempts) })

/** The probability that one of the best attempts succeeds; the weather of passes is independent. */
function probabilityOf(passes: readonly PlannedPass[], attempts: number): number {
  const best = passes.map(({ probability }) => probability).toSorted((left, right) => right - left)
  const failure = best.slice(0, attempts).reduce((product, probability) => product * (1 - probability), 1)
  return Number((1 - failure).toFixed(4))
}
