import { operationRegistry } from '@swath/contract/registry.ts'
import type { Client } from '@swath/client/client.ts'
import {
  createSpendFixture,
  spendExamples,
  type SpendExample,
  type SpendFixture,
} from '../../../packages/server/test/contract/examples/spend.ts'
import { saveCard, updateBillingPlan } from '../../../packages/server/test/billing-helpers.ts'
import { smallScenes } from '../../../packages/server/test/hosts/faulty-host.ts'
import { findCaptures, placeSceneOrder, waitForOrder } from '../../../packages/server/test/orders.ts'
import { uploadCopy, type Assignment } from '../../../packages/server/test/processing/outside-worker.ts'
import type { TestApp } from '../../../packages/server/test/test-app.ts'

/** One step of a script, as data: prepared in the server, executed by the proof. */
export type ScriptStep =
  | { readonly kind: 'send'; readonly path: string; readonly body: object; readonly status: number }
  /** The card holder completes or fails the challenge of the previous response. */
  | { readonly kind: 'challenge'; readonly answer: 'complete' | 'fail' }
  /** The next run of a task may be killed; the next step triggers it. */
  | { readonly kind: 'work'; readonly task: string }
  /** Makes deadlines of these kinds due. */
  | { readonly kind: 'due'; readonly deadlines: readonly string[] }

/** A prepared script. */
export interface PreparedScript {
  readonly organization: string
  readonly login:
    | { readonly username: string; readonly password: string }
    | { readonly token: string }
    | 'administrator'
  readonly steps: readonly ScriptStep[]
}

/** The idempotency key of a script. */
export const idempotencyKeyOf = (organization: string): string => `proof ${organization}`

interface CrashScript {
  /** The operation or task that it tests. */
  readonly subject: string
  prepare(app: TestApp): Promise<PreparedScript>
}

const [scene] = smallScenes
const pathOf = (id: string): string => (id.startsWith('proof.') ? `/v1/proof/${id}` : `/v1/op/${id}`)

const send = (id: string, body: object, status = statusOf(id)): ScriptStep => ({
  kind: 'send',
  path: pathOf(id),
  body,
  status,
})

const statusOf = (id: string): number => operationRegistry.find((operation) => operation.id === id)?.status ?? 200

const createPreparedScript = (stage: SpendFixture, ...steps: readonly ScriptStep[]): PreparedScript => ({
  organization: stage.org.organization,
  login: { username: stage.org.owner.email, password: stage.org.owner.password },
  steps,
})

type PaymentMethodKind = 'credits' | 'invoice' | 'pm_card_good' | 'pm_card_3ds' | 'pm_card_declined' | 'nothing'

/** An organization with exactly one means of payment. */
async function openPayingOrganization(
  app: TestApp,
  example: SpendExample,
  paymentMethod: PaymentMethodKind,
): Promise<SpendFixture> {
  const stage = await createSpendFixture(app, example)
  const { organization, owner } = stage.org
  if (paymentMethod === 'invoice') await updateBillingPlan(app, organization, 'enterprise')
  if (paymentMethod === 'invoice' || paymentMethod === 'credits') return stage
  const adjustment = { organization_id: organization, amount_credits: -100_000, reason: 'proof' }
  await app.admin.call('admin.orgs.credit_adjust', adjustment)
  if (paymentMethod === 'nothing') await updateBillingPlan(app, organization, 'prepaid')
  else await saveCard(owner.client, paymentMethod)
  return stage
}

const declined_status = 402
const place = 'orders.archive.place'
const card = spendExamples[place]!

const createOrderInput = async (client: Client): Promise<object> => ({
  captures: await findCaptures(client, 'good', [scene]),
})

/** Calls with a card that requires a challenge, resolves the challenge, and calls again. */
const challengeSteps = (id: string, body: object, answer: 'complete' | 'fail'): ScriptStep[] => [
  send(id, body, declined_status),
  { kind: 'challenge', answer },
  send(id, body, answer === 'complete' ? statusOf(id) : declined_status),
]

const placeScript = (
  paymentMethod: PaymentMethodKind,
  steps: (body: object) => readonly ScriptStep[],
): CrashScript => ({
  subject: place,
  prepare: async (app) => {
    const stage = await openPayingOrganization(app, card, paymentMethod)
    return createPreparedScript(stage, ...steps(await createOrderInput(stage.client)))
  },
})

const operationScript = (
  subject: string,
  paymentMethod: PaymentMethodKind,
  steps: (body: object) => readonly ScriptStep[],
): CrashScript => ({
  subject,
  prepare: async (app) => {
    const stage = await openPayingOrganization(app, spendExamples[subject]!, paymentMethod)
    return createPreparedScript(stage, ...steps(await spendExamples[subject]!.createInput(stage, 0)))
  },
})

/** An order paid by card that can still be cancelled. */
const cancelScript = (subject: string, ...before: readonly ScriptStep[]): CrashScript => ({
  subject,
  prepare: async (app) => {
    const stage = await openPayingOrganization(app, card, 'pm_card_good')
    const order_id = await placeSceneOrder(stage.client, 'failing', [scene])
    await waitForOrder(stage.client, order_id, 'PLACEMENT_FAILED')
    return createPreparedScript(stage, ...before, send('orders.cancel', { order_id }))
  },
})

const beginJobScript = (paymentMethod: PaymentMethodKind): CrashScript => ({
  subject: 'proof.job.begin',
  prepare: async (app) =>
    createPreparedScript(
      await openPayingOrganization(app, card, paymentMethod),
      send('proof.job.begin', { credits: 900 }, 202),
    ),
})

const endJobScript = (paymentMethod: PaymentMethodKind): CrashScript => ({
  subject: 'proof.job.end',
  prepare: async (app) => {
    const stage = await openPayingOrganization(app, card, paymentMethod)
    const response = await stage.client.fetch(pathOf('proof.job.begin'), { method: 'POST', body: '{"credits":900}' })
    const { hold_id } = (await response.json()) as { hold_id: string }
    return createPreparedScript(stage, send('proof.job.end', { hold_id, credits: 400 }))
  },
})

const duringTask = (task: string): ScriptStep => ({ kind: 'work', task })

/** A worker outside has uploaded its file, and registers it with its token, which captures the hold of the job. */
const registerScript: CrashScript = {
  subject: 'processing.job.register',
  prepare: async (app) => {
    const example = spendExamples['processing.create']!
    const stage = await createSpendFixture(app, example)
    const created = (await stage.client.call('processing.create', await example.createInput(stage, 0))) as Assignment
    const delegated = await stage.client.call<Assignment>('processing.job.delegate', { job_id: created.job.id })
    const outputs = await uploadCopy(delegated)
    const ready = createPreparedScript(stage, send('processing.job.register', { job_id: created.job.id, outputs }))
    return { ...ready, login: { token: delegated.assignment.token } }
  },
}

/** The plain example of every operation that spends. */
const spendScripts: Readonly<Record<string, CrashScript>> = Object.fromEntries(
  Object.entries(spendExamples).map(([subject, example]) => [
    subject,
    {
      subject,
      prepare: async (app: TestApp): Promise<PreparedScript> => {
        const stage = await createSpendFixture(app, example)
        const ready = createPreparedScript(stage, send(subject, await example.createInput(stage, 0)))
        return example.caller === 'administrator' ? { ...ready, login: 'administrator' } : ready
      },
    },
  ]),
)

/** A plain example of every idempotent operation. */
const plainScripts = { ...spendScripts, [registerScript.subject]: registerScript }

/** All scripts by name: every idempotent operation, every means of payment, and the task that captures or voids. */
export const scripts: Readonly<Record<string, CrashScript>> = {
  ...plainScripts,
  'an order on invoice': placeScript('invoice', (body) => [send(place, body)]),
  'an order that nobody can pay': placeScript('nothing', (body) => [send(place, body, declined_status)]),
  'an order by card': placeScript('pm_card_good', (body) => [send(place, body)]),
  'an order by a declined card': placeScript('pm_card_declined', (body) => [send(place, body, declined_status)]),
  'an order by a challenged card': placeScript('pm_card_3ds', (body) => challengeSteps(place, body, 'complete')),
  'an order by card with a failed challenge': placeScript('pm_card_3ds', (body) => challengeSteps(place, body, 'fail')),
  'an order by card is delivered': placeScript('pm_card_good', (body) => [
    duringTask('orders.fulfil'),
    send(place, body),
  ]),
  'an order by card is charged': placeScript('pm_card_good', (body) => [
    duringTask('billing.finish-card'),
    send(place, body),
  ]),
  'an order by card is cancelled': cancelScript('orders.cancel'),
  'the card payment of a cancelled order is voided': cancelScript('orders.cancel', duringTask('billing.finish-card')),
  'a top-up by a challenged card': operationScript('billing.topup', 'pm_card_3ds', (body) =>
    challengeSteps('billing.topup', body, 'complete'),
  ),
  'a top-up by a declined card': operationScript('billing.topup', 'pm_card_declined', (body) => [
    send('billing.topup', body, declined_status),
  ]),
  'an approval by a challenged card': operationScript('billing.approvals.approve', 'pm_card_3ds', (body) =>
    challengeSteps('billing.approvals.approve', body, 'complete'),
  ),
  'an approval by a declined card': operationScript('billing.approvals.approve', 'pm_card_declined', (body) => [
    send('billing.approvals.approve', body, declined_status),
  ]),
  'a refund is sent to the card': operationScript('billing.refunds.request', 'pm_card_good', (body) => [
    duringTask('billing.send-refund'),
    send('billing.refunds.request', body),
  ]),
  'an abandoned challenge': placeScript('pm_card_3ds', (body) => [
    send(place, body, declined_status),
    duringTask('billing.finish-card'),
    { kind: 'due', deadlines: ['authorisation-abandoned'] },
  ]),
  'an abandoned top-up': operationScript('billing.topup', 'pm_card_3ds', (body) => [
    send('billing.topup', body, declined_status),
    duringTask('billing.close-topup'),
    { kind: 'due', deadlines: ['topup-abandoned'] },
  ]),
  'a job on credits begins': beginJobScript('credits'),
  'a job by card begins': beginJobScript('pm_card_good'),
  'a job on invoice begins': beginJobScript('invoice'),
  'a job on credits ends': endJobScript('credits'),
  'a job by card ends': endJobScript('pm_card_good'),
}

/** True for the plain example of an operation. */
export const isPlainScript = (script: string): boolean => Object.hasOwn(plainScripts, script)

/** Idempotent operations without a script. */
export const listOperationsWithoutScript = (): string[] =>
  operationRegistry.filter(({ id, idempotent }) => idempotent && !isPlainScript(id)).map(({ id }) => id)
