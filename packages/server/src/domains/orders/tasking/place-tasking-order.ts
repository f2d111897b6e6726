import type { PlacedOrder } from '@swath/contract/schemas/order.ts'
import type { Call } from '../../../engine/call.ts'
import { findFieldErrors } from '../../../engine/input/find-field-errors.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import type { TaskingWorkflow } from '../../../platform/integrations/tasking-host.ts'
import { findFirstWritableProject } from '../../projects/access.ts'
import { requireWorkspace } from '../../projects/workspace.ts'
import { requireOrder } from '../access.ts'
import { toPlacedOrder } from '../order.ts'
import type { TaskingTemplateSettings } from './store.templates.ts'
import { assignPasses, placeTaskingDrafts, requireAcceptedTaskEulas, toTasksWithoutPass } from './place-drafts.ts'
import { requireQuotedHostTasks } from './quote-tasks.ts'
import {
  priceHostTasks,
  rejectHostTaskRequestErrors,
  type TaskingAreaRequest,
  type PricedHostTask,
} from './task-requests.ts'
import { taskingOrderName } from './tasking-products.ts'
import { requireTaskingTemplate } from './templates.ts'

/** An area of a request, with the fields that `params` may have, too. */
export interface TaskingAreaInput {
  readonly name?: string | null
  readonly geometry: unknown
  readonly dataProduct?: string | null
  readonly sensor?: string | null
  readonly acquisitionStart?: string | null
  readonly acquisitionEnd?: string | null
  readonly params?: Readonly<Record<string, unknown>> | null
}

export interface TaskingOrderRequest {
  /** Absent: the oldest project that the caller may write to. */
  readonly workspaceId?: string | null
  /** Required without a quote. */
  readonly groups?: readonly TaskingAreaInput[]
  /** The quote whose price is charged; it sets the areas and their parameters. */
  readonly quote_id?: string | null
  readonly displayName: string
  readonly dataProduct?: string | null
  readonly template_id?: string | null
  readonly params?: Readonly<Record<string, unknown>> | null
  readonly tags?: readonly string[] | null
  readonly max_credits?: number | null
}

/**
 * Places a tasking order, or returns the one that an earlier attempt of the same idempotent request has written. A known
 * price is held with the order in one transaction; an order that waits for a study or a quotation holds nothing. Throws
 * `validation` for areas that cannot be acquired, `eula-not-accepted`, and what `runWithReservedPayment` throws; then nothing was
 * written.
 */
export async function placeTaskingOrder(call: Call, request: TaskingOrderRequest): Promise<PlacedOrder> {
  const claimedOrderId = call.claim?.recoveryData['order_id']
  if (typeof claimedOrderId === 'string')
    return toPlacedOrder(await requireOrder(call, claimedOrderId, 'read'), 'awaiting_data')
  const project = await requireTargetProject(call, request.workspaceId ?? null)
  const tasks = await resolveTasks(call, request)
  const workflow = requireOneWorkflow(tasks)
  const display_name = request.displayName || readParamsName(request.params)
  await requireAcceptedTaskEulas(call, tasks)
  const isQuoted = Boolean(request.quote_id)
  const draft = {
    tasks: workflow === 'direct' ? await assignPasses(call, tasks, { isQuoted }) : toTasksWithoutPass(tasks),
    quote_id: request.quote_id ?? null,
    display_name,
    tags: request.tags ?? [],
  }
  const [order] = await placeTaskingDrafts(call, {
    project: project.id,
    drafts: [draft],
    max_credits: request.max_credits,
    toRecoveryData: ([order_id]) => ({ order_id }),
  })
  return toPlacedOrder(order!, 'awaiting_data')
}

/** The areas of the named quote at its prices, or those of the request at the prices of now. */
async function resolveTasks(call: Call, request: TaskingOrderRequest): Promise<readonly PricedHostTask[]> {
  const { quote_id, groups, dataProduct, template_id, params } = request
  if (!quote_id) return priceTaskingRequest(call, request)
  const tasks = await requireQuotedHostTasks(call, quote_id, call.clock.now())
  if (groups || dataProduct || template_id || params) {
    const detail = '`quote_id` sets the areas: leave out `groups`, `dataProduct`, `template_id` and `params`.'
    throw new Problem('conflicting-parameters', detail)
  }
  return tasks
}

/** The name that clients put among the parameters; areas may replace all others. Throws `validation` for one that is too long. */
export function readParamsName(params: Readonly<Record<string, unknown>> | null | undefined): string {
  const name = params?.['displayName']
  if (typeof name !== 'string') return ''
  const errors = findFieldErrors(taskingOrderName, name)
  if (errors.length === 0) return name
  throw validationProblem(errors.map(({ message }) => ({ path: 'params.displayName', message })))
}

type PriceRequest = Pick<TaskingOrderRequest, 'groups' | 'dataProduct' | 'template_id' | 'params'>

/** The areas of a request at the prices of now. Throws `not-found` for an unknown template, and `validation`. */
export async function priceTaskingRequest(call: Call, request: PriceRequest): Promise<readonly PricedHostTask[]> {
  if (!request.groups) throw validationProblem([{ path: 'groups', message: 'is required without `quote_id`' }])
  const template = request.template_id ? (await requireTaskingTemplate(call, request.template_id)).settings : null
  const { tasks, faults } = await priceHostTasks(
    call,
    request.groups.map((group) => mergeTaskingAreaParameters(group, request, template)),
  )
  if (faults.length > 0) rejectHostTaskRequestErrors(faults)
  return tasks
}

async function requireTargetProject(call: Call, workspace_id: string | null) {
  if (workspace_id !== null) return requireWorkspace(call, workspace_id, 'write')
  const project = await findFirstWritableProject(call)
  if (!project)
    throw validationProblem([{ path: 'workspaceId', message: 'is required: you have no project to deliver into' }])
  return project
}

/** The parameters of an area: its own, then those of the order, then those of the template. */
export function mergeTaskingAreaParameters(
  group: TaskingAreaInput,
  order: Pick<TaskingOrderRequest, 'dataProduct' | 'params'>,
  template: TaskingTemplateSettings | null,
): TaskingAreaRequest {
  const fields = Object.entries({
    sensor: group.sensor,
    acquisitionStart: group.acquisitionStart,
    acquisitionEnd: group.acquisitionEnd,
  }).filter(([, value]) => value !== null && value !== undefined)
  return {
    name: group.name ?? null,
    geometry: group.geometry,
    dataProduct: group.dataProduct ?? order.dataProduct ?? null,
    params: {
      ...(template ? toTemplateParams(template) : {}),
      ...order.params,
      ...group.params,
      ...Object.fromEntries(fields),
    },
  }
}

/** The constraints that a template sets; 0 sets none. */
const toTemplateParams = ({ max_cloud_coverage, max_nadir_angle }: TaskingTemplateSettings) => ({
  ...(max_cloud_coverage > 0 ? { maxCloudCover: max_cloud_coverage } : {}),
  ...(max_nadir_angle > 0 ? { maxOffNadirAngle: max_nadir_angle } : {}),
})

/** The areas of one order wait for the same thing, and a study has the options of one area. */
function requireOneWorkflow(tasks: readonly PricedHostTask[]): TaskingWorkflow {
  const workflows = new Set(tasks.map(({ offer }) => offer.product.workflow))
  const [workflow] = workflows
  if (workflows.size > 1)
    throw validationProblem([{ path: 'groups', message: 'have products with different workflows; order them apart' }])
  if (workflow === 'study' && tasks.length > 1)
    throw validationProblem([{ path: 'groups', message: 'must be one for a product with feasibility studies' }])
  return workflow!
}
