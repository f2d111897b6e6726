import type { PurchaseCall } from '../../../engine/call.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import type { HostOpportunity } from '../../../platform/integrations/tasking-host.ts'
import { calculateCharge, roundArea_km2 } from '../../catalog/price.ts'
import { findHostRefusal } from '../withdraw-from-hosts.ts'
import { requestHostOpportunities } from './find-opportunities.ts'
import { rejectHostTaskRequestErrors, type HostTaskRequestError, type PricedHostTask } from './task-requests.ts'

/** The area that a pass reaches is the area that is charged. A study and a quotation have prices of their own. */
export function priceHostTaskForPass(
  task: PricedHostTask,
  { coverage }: Pick<HostOpportunity, 'coverage'>,
): PricedHostTask {
  if (coverage >= 1 || task.offer.product.workflow !== 'direct') return task
  const area_km2 = roundArea_km2(task.area_km2 * coverage)
  return { ...task, area_km2, ...calculateCharge(task.price, area_km2) }
}

/**
 * The same tasks at the prices of the passes that would acquire them now. A task without a free pass keeps its price,
 * which is that of its whole area: it is refused when it is ordered. Throws `upstream`.
 */
export async function priceHostTasksAtPasses(
  call: PurchaseCall,
  tasks: readonly PricedHostTask[],
): Promise<PricedHostTask[]> {
  const priced: PricedHostTask[] = []
  for (const task of tasks) {
    const pass = task.offer.product.workflow === 'direct' ? await findPassNow(call, task) : null
    priced.push(pass ? priceHostTaskForPass(task, pass) : task)
  }
  return priced
}

async function findPassNow(call: PurchaseCall, task: PricedHostTask): Promise<HostOpportunity | null> {
  try {
    return findPass(task, await requestHostOpportunities(call, task))
  } catch (error) {
    if (findHostRefusal(error)) return null
    throw error
  }
}

/** The pass that the request names, or the one that most probably acquires most of the area, the soonest of equals. */
function findPass({ constraints }: PricedHostTask, passes: readonly HostOpportunity[]): HostOpportunity | null {
  if (constraints.opportunity !== null) return passes.find(({ id }) => id === constraints.opportunity) ?? null
  const value = ({ probability, coverage }: HostOpportunity): number => (probability ?? 1) * coverage
  return passes
    .filter(({ conflict }) => conflict === null)
    .reduce<HostOpportunity | null>((best, pass) => (best && value(best) >= value(pass) ? best : pass), null)
}

/** The reason why no pass can acquire an area. */
export interface PassFault extends HostTaskRequestError {
  readonly code: 'no-opportunity' | 'unknown-opportunity' | 'invalid-state' | 'refused'
}

/** The pass of each area: the chosen one, or the best free one. Throws `validation`, `invalid-state` for a conflict, or `upstream`. */
export async function chooseHostTaskPasses(
  call: PurchaseCall,
  tasks: readonly PricedHostTask[],
): Promise<HostOpportunity[]> {
  const passes: HostOpportunity[] = []
  for (const task of tasks) {
    const choice = await chooseHostTaskPass(call, task)
    if ('code' in choice) throwPassFault(choice)
    passes.push(choice)
  }
  return passes
}

/** The pass of one area, or why it has none. Throws `upstream`. */
export async function chooseHostTaskPass(
  call: PurchaseCall,
  task: PricedHostTask,
): Promise<HostOpportunity | PassFault> {
  try {
    return choosePass(task, await requestHostOpportunities(call, task))
  } catch (error) {
    const refusal = findHostRefusal(error)
    if (!refusal) throw error
    return { index: task.index, code: 'refused', message: refusal.message }
  }
}

function choosePass(task: PricedHostTask, passes: readonly HostOpportunity[]): HostOpportunity | PassFault {
  const { index, constraints } = task
  const pass = findPass(task, passes)
  if (pass === null)
    return constraints.opportunity === null
      ? { index, code: 'no-opportunity', message: 'no satellite can acquire the area within the window' }
      : { index, code: 'unknown-opportunity', message: 'is not a pass of the window' }
  if (pass.conflict === null) return pass
  const message = `The pass is occupied by the task ${pass.conflict} of the same satellite.`
  return { index, code: 'invalid-state', message }
}

function throwPassFault(fault: PassFault): never {
  const { index, code, message } = fault
  if (code === 'invalid-state') throw new Problem(code, message)
  if (code === 'no-opportunity') rejectHostTaskRequestErrors([fault])
  const path = code === 'refused' ? `groups.${index}` : `groups.${index}.params.opportunityId`
  throw validationProblem([{ path, message }])
}
