import type { Principal, PurchaseCall } from '../../../engine/call.ts'
import { runIdempotent, type IdempotencyClaim } from '../../../engine/idempotency.ts'
import { Problem } from '../../../engine/problem.ts'
import { createTaskActor, type TaskContext } from '../../../engine/task.ts'
import { deriveDataProductId } from '../../glossary/data-products.ts'
import { findMemberPrincipal } from '../../identity/user-principal.ts'
import { requireProject } from '../../projects/access.ts'
import { quoteCapturesForCaller } from '../quote.ts'
import {
  orderStandingOrderScene,
  buildSceneIdempotencyKey,
  toStandingOrderScenePurchase,
} from './order-standing-scene.ts'
import { requireStandingOrderMonthCap } from './month-cap.ts'
import {
  toStandingOrderSceneOutcome,
  writeStandingOrderSceneOutcome,
  type StandingOrderSceneOutcome,
} from './scene-outcome.ts'
import { findStandingOrder, type StandingOrderRow } from './store.standing-orders.ts'
import { listPendingStandingOrderScenes, type StandingOrderSceneRow } from './store.standing-scenes.ts'

/** Scenes of one run; the sweep starts another one for the rest. */
const max_scenes_per_run = 50

/** Orders, proposes or skips the due scenes of a standing order, one after the other. */
export async function runStandingOrder(context: TaskContext, organization: string, id: string): Promise<void> {
  const db = context.database.forOrganization(organization)
  const actor = createTaskActor(context, organization)
  const due = { now: actor.clock.now(), limit: max_scenes_per_run }
  for (const scene of await listPendingStandingOrderScenes(db, { organization, standing_order_id: id }, due)) {
    context.signal.throwIfAborted()
    const row = await findStandingOrder(db, organization, id)
    if (!row) return
    const outcome = await handleScene(context, organization, row, scene)
    if (!outcome) continue
    const { source_id, scene_id } = scene
    const key = { organization, standing_order_id: id, source_id, scene_id }
    await db.transaction((tx) => writeStandingOrderSceneOutcome(tx, actor, { key, row, scene }, outcome))
  }
}

/** Orders a scene if everything permits it; otherwise returns what to do with it. */
async function handleScene(
  context: TaskContext,
  organization: string,
  row: StandingOrderRow,
  scene: StandingOrderSceneRow,
): Promise<StandingOrderSceneOutcome | null> {
  if (row.status !== 'active') return { kind: 'skip', reason: `The standing order was ${row.status}.` }
  const now = context.clock.forOrganization(organization).now()
  if (row.capped_until && row.capped_until > now) return { kind: 'skip', reason: 'The cap of the month was reached.' }
  const principal = await findMemberPrincipal(context.database.unscoped, organization, row.created_by)
  if (!principal) return { kind: 'suspend', reason: 'The user who created it is not in the organization any more.' }
  const toCall = (claim: IdempotencyClaim | null) => createPurchaseCall(context, { organization, principal, claim })
  const price: { credits: number | null } = { credits: null }
  try {
    return await orderOrPropose(toCall, { row, scene, price })
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof Problem)) throw error
    return toStandingOrderSceneOutcome(error, price.credits)
  }
}

interface Attempt {
  readonly row: StandingOrderRow
  readonly scene: StandingOrderSceneRow
  /** Set once the scene is priced. */
  readonly price: { credits: number | null }
}

/** Null if the scene was ordered. Throws the problem that prevents it. */
async function orderOrPropose(
  toCall: (claim: IdempotencyClaim | null) => PurchaseCall,
  { row, scene, price }: Attempt,
): Promise<StandingOrderSceneOutcome | null> {
  const call = toCall(null)
  const { db, organization, clock, operation } = call
  await requireProject(call, row.project_id, 'write')
  const quote = await quoteCapturesForCaller(call, toStandingOrderScenePurchase(row, scene), clock.now())
  const [capture] = quote.captures
  if (!capture) return { kind: 'skip', reason: quote.errors[0]?.message ?? 'The scene cannot be ordered.' }
  const product = deriveDataProductId(capture.host.name, capture.scene.collection)
  if (row.data_product_id !== null && row.data_product_id !== product) {
    return { kind: 'skip', reason: 'The scene belongs to another data product.' }
  }
  const credits = quote.total_credits
  if (credits > row.max_credits_per_scene) {
    return { kind: 'skip', reason: `The scene costs ${credits} credits, more than the cap of a scene.` }
  }
  price.credits = credits
  await requireStandingOrderMonthCap(db, organization, row, { credits, now: clock.now() })
  if (row.mode === 'ask') return { kind: 'propose', reason: null, credits }
  const { source_id, scene_id } = scene
  const request = {
    db,
    organization,
    operation,
    key: buildSceneIdempotencyKey(row, scene),
    principal: `human:${row.created_by}`,
    input: { standing_order_id: row.id, source_id, scene_id },
  }
  await runIdempotent(request, async (claim) => {
    const { id } = await orderStandingOrderScene(toCall(claim), {
      row,
      scene,
      max_credits: credits,
      requiresActive: true,
    })
    return { status: 202, body: JSON.stringify({ id }) }
  })
  return null
}

/** Creates the call context for ordering as the user who created the standing order. */
function createPurchaseCall(
  context: TaskContext,
  {
    organization,
    principal,
    claim,
  }: { readonly organization: string; readonly principal: Principal; readonly claim: IdempotencyClaim | null },
): PurchaseCall {
  const db = context.database.forOrganization(organization)
  return {
    operation: context.taskName,
    principal,
    organization,
    db,
    transaction: (work) => db.transaction(work),
    isDryRun: false,
    claim,
    clock: context.clock.forOrganization(organization),
    requestId: context.id,
    // Only for the links of a card challenge, which nobody sees here: the scene is proposed instead.
    baseUrl: '',
    signal: context.signal,
    integrations: context.integrations,
    processServices: context.processServices,
    queue: context.queue,
  }
}
