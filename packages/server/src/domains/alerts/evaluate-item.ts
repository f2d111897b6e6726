import { publicUrlServiceKey } from '../../engine/process-services.ts'
import { Problem } from '../../engine/problem.ts'
import { createTaskActor, type TaskContext } from '../../engine/task.ts'
import type { ProblemName } from '@swath/contract/problems.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { emitEvent } from '../events/emit.ts'
import { isItemExpired } from '../items/access.ts'
import { findItem, type ItemRow } from '../items/store.ts'
import { getBackgroundRasterJobRunner } from '../tiles/raster-pool.ts'
import { evaluateAlertValue } from './condition.ts'
import { attachAlertImages } from './email-images.ts'
import { measureItemForAlert } from './measure-item.ts'
import { buildItemImageUrl } from './item-image-url.ts'
import {
  listPendingAlertEvaluations,
  markAlertEvaluationMeasured,
  markAlertEvaluationSkipped,
  type PendingAlertEvaluation,
} from './store.evaluations.ts'
import { insertAlertEvent } from './store.events.ts'
import { findPreviousItemOfRule } from './store.items.ts'
import { findAlertRule, updateAlertRuleState, type AlertRuleRow } from './store.ts'

/** Problems that may be over at the next attempt. */
const temporaryProblems: ReadonlySet<ProblemName> = new Set(['upstream', 'rate-limited', 'unavailable'])

/** Evaluates an item by every rule that waits for it; a rule that has been evaluated is never evaluated again. */
export async function evaluateItemAlerts(context: TaskContext, organization: string, item_id: string): Promise<void> {
  const db = context.database.forOrganization(organization)
  const now = context.clock.forOrganization(organization).now()
  const pending = await listPendingAlertEvaluations(db, organization, item_id)
  const item = pending.length > 0 ? await findItem(db, organization, item_id) : null
  const isGone = item === null || item.deleted_at !== null || isItemExpired(item, now)
  for (const evaluation of pending) {
    context.signal.throwIfAborted()
    if (isGone)
      await skip(context, organization, { evaluation, item_id, reason: 'The item was deleted or has expired.' })
    else await evaluateRule(context, organization, item, evaluation)
  }
}

async function evaluateRule(
  context: TaskContext,
  organization: string,
  item: ItemRow,
  evaluation: PendingAlertEvaluation,
): Promise<void> {
  try {
    const value = await measureItemForAlert(measureContextOf(context, organization), item.id, evaluation.rule)
    const previous = await findPreviousOf(context, organization, item, evaluation.rule)
    const db = context.database.forOrganization(organization)
    const changed = await db.transaction((tx) =>
      recordValue(tx, context, { organization, item, evaluation, value, previous }),
    )
    if (changed) await evaluateRule(context, organization, item, { ...evaluation, rule: changed })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (temporaryProblems.has(error.problem) && !context.isLastAttempt) throw error
    await skip(context, organization, { evaluation, item_id: item.id, reason: error.message })
  }
}

const measureContextOf = (context: TaskContext, organization: string) => ({
  db: context.database.forOrganization(organization),
  organization,
  blobs: context.blobs,
  integrations: context.integrations,
  processServices: context.processServices,
  clocks: context.clock,
  signal: context.signal,
  jobs: getBackgroundRasterJobRunner(context.processServices, organization),
})

const findPreviousOf = (context: TaskContext, organization: string, item: ItemRow, rule: AlertRuleRow) =>
  findPreviousItemOfRule(context.database.forOrganization(organization), {
    organization,
    rule,
    item: item.id,
    now: context.clock.forOrganization(organization).now(),
  })

const skip = (
  { database, clock }: TaskContext,
  organization: string,
  { evaluation, item_id, reason }: { evaluation: PendingAlertEvaluation; item_id: string; reason: string },
): Promise<void> =>
  markAlertEvaluationSkipped(
    database.forOrganization(organization),
    { organization, rule: evaluation.rule.id, item: item_id },
    { reason: reason.slice(0, 1000), now: clock.forOrganization(organization).now() },
  )

interface MeasuredEvaluation {
  readonly organization: string
  readonly item: ItemRow
  readonly evaluation: PendingAlertEvaluation
  readonly value: number
  readonly previous: string | null
}

/**
 * Records the value and, if it triggers the rule, the alert event, in one transaction under the lock of the rule: values of several
 * items are decided one after the other, and each once. Returns the rule if it was changed since it was measured: it has to be
 * measured again.
 */
async function recordValue(tx: Tx, context: TaskContext, measured: MeasuredEvaluation): Promise<AlertRuleRow | null> {
  const { organization, item, evaluation, value } = measured
  const now = context.clock.forOrganization(organization).now()
  const rule = await findAlertRule(tx, organization, evaluation.rule.id, true)
  if (!rule) return null
  const key = { organization, rule: rule.id, item: item.id }
  if (!rule.active) {
    await markAlertEvaluationSkipped(tx, key, { reason: 'The rule is not active.', now })
    return null
  }
  if (rule.updated_at.getTime() !== evaluation.rule.updated_at.getTime()) return rule
  const { outcome, state } = evaluateAlertValue(rule, rule, value, now)
  if (!(await markAlertEvaluationMeasured(tx, key, { value, outcome, now }))) return null
  await updateAlertRuleState(tx, rule, state)
  if (outcome === 'triggered') await recordTrigger(tx, context, { ...measured, rule, created_at: now })
  return null
}

async function recordTrigger(
  tx: Tx,
  context: TaskContext,
  {
    organization,
    item,
    evaluation,
    value,
    previous,
    rule,
    created_at,
  }: MeasuredEvaluation & { readonly rule: AlertRuleRow; readonly created_at: OrganizationTime },
): Promise<void> {
  const id = newId()
  const { expression, statistic, asset_key, comparison, threshold, threshold_upper } = rule
  const condition = { expression, statistic, comparison, threshold, threshold_upper }
  await insertAlertEvent(tx, {
    organization_id: organization,
    id,
    rule_id: rule.id,
    item_id: item.id,
    project_id: item.project_id,
    event_type: evaluation.event_type,
    ...condition,
    asset_key,
    computed_value: value,
    previous_item_id: previous,
    acknowledged_by: null,
    acknowledged_at: null,
    created_at,
  })
  const publicUrl = context.processServices.get(publicUrlServiceKey)
  await emitEvent(tx, createTaskActor(context, organization), {
    kind: 'alert.triggered',
    entity_type: 'alert_event',
    entity_id: id,
    hasDeliveries: rule.notification_channels.includes('webhook'),
    data: {
      rule_id: rule.id,
      rule_name: rule.name,
      item_id: item.id,
      project_id: item.project_id,
      collection_id: item.collection_id,
      ...condition,
      value,
      channels: [...rule.notification_channels],
      picture_url: buildItemImageUrl(publicUrl, item.id, asset_key),
      previous_item_id: previous,
      previous_picture_url: previous === null ? null : buildItemImageUrl(publicUrl, previous, asset_key),
    },
  })
  await attachAlertImages(tx, organization, { id, item: item.id, previous })
}
