import { registry } from '@swath/contract/registry.ts'
import type { Client } from '@swath/client/client.ts'
import {
  openStage,
  spends,
  type SpendExample,
  type Stage,
} from '../../../packages/server/test/contract/examples/spend.ts'
import { giveCard, putOnPlan } from '../../../packages/server/test/house-money.ts'
import { smallScenes } from '../../../packages/server/test/hosts/faulty-host.ts'
import { capturesOf, placeScenes, waitForOrder } from '../../../packages/server/test/orders.ts'
import type { TestHouse } from '../../../packages/server/test/setup.ts'

/** One step of a script, as data: prepared in the server, executed by the proof. */
export type Step =
  | { readonly kind: 'send'; readonly path: string; readonly body: object; readonly status: number }
  /** The card holder completes or fails the challenge of the previous response. */
  | { readonly kind: 'challenge'; readonly answer: 'complete' | 'fail' }
  /** The next run of a task may be killed; the next step triggers it. */
  | { readonly kind: 'work'; readonly task: string }
  /** Makes deadlines of these kinds due. */
  | { readonly kind: 'due'; readonly deadlines: readonly string[] }

/** A prepared script. */
export interface Scene {
  readonly organization: string
  readonly login: { readonly username: string; readonly password: string } | 'administrator'
  readonly steps: readonly Step[]
}

/** The idempotency key of a script. */
export const keyOf = (organization: string): string => `proof ${organization}`

export interface Script {
  /** The operation or task that it tests. */
  readonly of: string
  prepare(house: TestHouse): Promise<Scene>
}

const [scene] = smallScenes
const pathOf = (id: string): string => (id.startsWith('proof.') ? `/v1/proof/${id}` : `/v1/op/${id}`)

const send = (id: string, body: object, status = statusOf(id)): Step => ({
  kind: 'send',
  path: pathOf(id),
  body,
  status,
})

const statusOf = (id: string): number => registry.find((operation) => operation.id === id)?.status ?? 200

const sceneOf = (stage: Stage, ...steps: readonly Step[]): Scene => ({
  organization: stage.made.organization,
  login: { username: stage.made.owner.email, password: stage.made.owner.password },
  steps,
})

type Way = 'credits' | 'invoice' | 'pm_card_good' | 'pm_card_3ds' | 'pm_card_declined' | 'nothing'

/** An organization with exactly one means of payment. */
async function paying(house: TestHouse, example: SpendExample, way: Way): Promise<Stage> {
  const stage = await openStage(house, example)
  const { organization, owner } = stage.made
  if (way === 'invoice') await putOnPlan(house, organization, 'enterprise')
  if (way === 'invoice' || way === 'credits') return stage
  const all = { organization_id: organization, amount_credits: -100_000, reason: 'proof' }
  await house.admin.call('admin.orgs.credit_adjust', all)
  if (way === 'nothing') await putOnPlan(house, organization, 'prepaid')
  else await giveCard(owner.client, way)
  return stage
}

const declined = 402
const place = 'orders.archive.place'
const card = spends[place]!

const wanted = async (client: Client): Promise<object> => ({ captures: await capturesOf(client, 'good', [scene]) })

/** Calls with a card that requires a challenge, resolves the challenge, and calls again. */
const challenged = (id: string, body: object, answer: 'complete' | 'fail'): Step[] => [
  send(id, body, declined),
  { kind: 'challenge', answer },
  send(id, body, answer === 'complete' ? statusOf(id) : declined),
]

const placed = (way: Way, steps: (body: object) => readonly Step[]): Script => ({
  of: place,
  prepare: async (house) => {
    const stage = await paying(house, card, way)
    return sceneOf(stage, ...steps(await wanted(stage.client)))
  },
})

const asked = (of: string, way: Way, steps: (body: object) => readonly Step[]): Script => ({
  of,
  prepare: async (house) => {
    const stage = await paying(house, spends[of]!, way)
    return sceneOf(stage, ...steps(await spends[of]!.wish(stage, 0)))
  },
})

/** An order paid by card that can still be cancelled. */
const cancelled = (of: string, ...before: readonly Step[]): Script => ({
  of,
  prepare: async (house) => {
    const stage = await paying(house, card, 'pm_card_good')
    const order_id = await placeScenes(stage.client, 'failing', [scene])
    await waitForOrder(stage.client, order_id, 'PLACEMENT_FAILED')
    return sceneOf(stage, ...before, send('orders.cancel', { order_id }))
  },
})

const began = (way: Way): Script => ({
  of: 'proof.job.begin',
  prepare: async (house) => sceneOf(await paying(house, card, way), send('proof.job.begin', { credits: 900 }, 202)),
})

const ended = (way: Way): Script => ({
  of: 'proof.job.end',
  prepare: async (house) => {
    const stage = await paying(house, card, way)
    const response = await stage.client.fetch(pathOf('proof.job.begin'), { method: 'POST', body: '{"credits":900}' })
    const { hold_id } = (await response.json()) as { hold_id: string }
    return sceneOf(stage, send('proof.job.end', { hold_id, credits: 400 }))
  },
})

const during = (task: string): Step => ({ kind: 'work', task })

/** The plain example of every idempotent implemented operation. */
const plain: Readonly<Record<string, Script>> = Object.fromEntries(
  Object.entries(spends).map(([of, example]) => [
    of,
    {
      of,
      prepare: async (house: TestHouse): Promise<Scene> => {
        const stage = await openStage(house, example)
        const ready = sceneOf(stage, send(of, await example.wish(stage, 0)))
        return example.caller === 'administrator' ? { ...ready, login: 'administrator' } : ready
      },
    },
  ]),
)

/** All scripts by name: every idempotent operation, every means of payment, and the task that captures or voids. */
export const scripts: Readonly<Record<string, Script>> = {
  ...plain,
  'an order on invoice': placed('invoice', (body) => [send(place, body)]),
  'an order that nobody can pay': placed('nothing', (body) => [send(place, body, declined)]),
  'an order by card': placed('pm_card_good', (body) => [send(place, body)]),
  'an order by a declined card': placed('pm_card_declined', (body) => [send(place, body, declined)]),
  'an order by a challenged card': placed('pm_card_3ds', (body) => challenged(place, body, 'complete')),
  'an order by card with a failed challenge': placed('pm_card_3ds', (body) => challenged(place, body, 'fail')),
  'an order by card is delivered': placed('pm_card_good', (body) => [during('orders.fulfil'), send(place, body)]),
  'an order by card is charged': placed('pm_card_good', (body) => [during('billing.finish-card'), send(place, body)]),
  'an order by card is cancelled': cancelled('orders.cancel'),
  'the card payment of a cancelled order is voided': cancelled('orders.cancel', during('billing.finish-card')),
  'a top-up by a challenged card': asked('billing.topup', 'pm_card_3ds', (body) =>
    challenged('billing.topup', body, 'complete'),
  ),
  'a top-up by a declined card': asked('billing.topup', 'pm_card_declined', (body) => [
    send('billing.topup', body, declined),
  ]),
  'an approval by a challenged card': asked('billing.approvals.approve', 'pm_card_3ds', (body) =>
    challenged('billing.approvals.approve', body, 'complete'),
  ),
  'an approval by a declined card': asked('billing.approvals.approve', 'pm_card_declined', (body) => [
    send('billing.approvals.approve', body, declined),
  ]),
  'a refund is sent to the card': asked('billing.refunds.request', 'pm_card_good', (body) => [
    during('billing.send-refund'),
    send('billing.refunds.request', body),
  ]),
  'an abandoned challenge': placed('pm_card_3ds', (body) => [
    send(place, body, declined),
    during('billing.finish-card'),
    { kind: 'due', deadlines: ['authorisation-abandoned'] },
  ]),
  'an abandoned top-up': asked('billing.topup', 'pm_card_3ds', (body) => [
    send('billing.topup', body, declined),
    during('billing.close-topup'),
    { kind: 'due', deadlines: ['topup-abandoned'] },
  ]),
  'a job on credits begins': began('credits'),
  'a job by card begins': began('pm_card_good'),
  'a job on invoice begins': began('invoice'),
  'a job on credits ends': ended('credits'),
  'a job by card ends': ended('pm_card_good'),
}

/** True for the plain example of an operation. */
export const isPlain = (script: string): boolean => Object.hasOwn(plain, script)

/** Idempotent implemented operations without a script. */
export const withoutScript = (): string[] =>
  registry.filter(({ id, idempotent, answered }) => idempotent && answered && !isPlain(id)).map(({ id }) => id)
