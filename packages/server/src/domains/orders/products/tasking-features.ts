import type { FeatureError } from '@swath/contract/schemas/price.ts'
import type { Call, PurchaseCall } from '../../../engine/call.ts'
import { describeFieldError, validationProblem } from '../../../engine/problem.ts'
import { readRatesOfCaller } from '../../contracts/rates.ts'
import { chooseHostTaskPass, priceHostTasksAtPasses, type PassFault } from '../tasking/choose-passes.ts'
import { toTasksWithoutPass, toTaskWithPass, type TaskWithPass } from '../tasking/place-drafts.ts'
import { priceHostTasks, type PricedHostTask } from '../tasking/task-requests.ts'
import {
  applyTermsToOffer,
  findTaskingOffer,
  toTaskingParamsSchema,
  type TaskingOffer,
} from '../tasking/tasking-products.ts'
import {
  missingArea,
  readFeatures,
  readParams,
  type PricedFeature,
  type ProductOrderRequest,
} from './product-orders.ts'

/** The product with this id or name that is acquired on order, with the terms in force; null for any other. */
export async function findOfferedTaskingProduct(call: PurchaseCall, id: string): Promise<TaskingOffer | null> {
  const declared = findTaskingOffer(call.integrations, id)
  return declared && applyTermsToOffer(declared, (await readRatesOfCaller(call)).products)
}

/** The areas that can be acquired, each with its position in the request, and the errors of the others. */
interface TaskingFeatures {
  readonly tasks: readonly PricedHostTask[]
  readonly errors: readonly FeatureError[]
}

/**
 * Prices the acquisition of each feature with the same parameters. Throws `validation` for parameters that the schema of the product does
 * not accept, or without any feature.
 */
export async function readTaskingFeatures(
  call: PurchaseCall,
  offer: TaskingOffer,
  request: ProductOrderRequest,
): Promise<TaskingFeatures> {
  if (request.exclude_owned)
    throw validationProblem([
      { path: 'exclude_owned', message: 'is for imagery of archives: this one is acquired anew' },
    ])
  const params = readParams(toTaskingParamsSchema(offer.product.sensors, offer.params), request.params ?? {})
  const features = readFeatures(request, 1)
  const positions = [...features.keys()].filter((index) => features[index]!.geometry !== null)
  const areas = positions.map((index) => ({ geometry: features[index]!.geometry, dataProduct: offer.id, params }))
  const { tasks, faults } = await priceHostTasks(call, areas)
  const withoutArea = features.flatMap(({ geometry }, index) => (geometry === null ? [missingArea(index)] : []))
  const failed = faults.map(({ index, code, message }) => ({ index: positions[index]!, message, details: code }))
  return {
    tasks: tasks.map((task) => ({ ...task, index: positions[task.index]! })),
    errors: [...withoutArea, ...failed],
  }
}

const sortErrors = (errors: readonly FeatureError[]): FeatureError[] =>
  errors.toSorted((left, right) => left.index - right.index)

/** The price of each feature at the pass that would acquire it now; 0 where the price is offered after the order is placed. */
export async function priceTaskingFeatures(
  call: PurchaseCall,
  offer: TaskingOffer,
  request: ProductOrderRequest,
): Promise<{ readonly priced: readonly PricedFeature[]; readonly errors: readonly FeatureError[] }> {
  const { tasks, errors } = await readTaskingFeatures(call, offer, request)
  const priced = await priceHostTasksAtPasses(call, tasks)
  return {
    priced: priced.map(({ index, credits, charged_km2 }) => ({ index, credits, size_km2: charged_km2 })),
    errors: sortErrors(errors),
  }
}

/** The features that can be ordered now, with the passes that acquire them, and the errors of the others. */
export async function assignTaskingFeatures(
  call: Call,
  { product }: TaskingOffer,
  { tasks, errors }: TaskingFeatures,
): Promise<{ readonly tasks: readonly TaskWithPass[]; readonly errors: readonly FeatureError[] }> {
  if (product.workflow !== 'direct') return { tasks: toTasksWithoutPass(tasks), errors: sortErrors(errors) }
  const assigned: TaskWithPass[] = []
  const failed: FeatureError[] = []
  for (const task of tasks) {
    const choice = await chooseHostTaskPass(call, task)
    if ('code' in choice) failed.push(toFeatureError(choice))
    else assigned.push(toTaskWithPass(task, choice))
  }
  return { tasks: assigned, errors: sortErrors([...errors, ...failed]) }
}

const toFeatureError = ({ index, code, message }: PassFault): FeatureError => ({
  index,
  message: describeFieldError({ path: code === 'unknown-opportunity' ? 'opportunityId' : 'area', message }),
  details: code,
})
