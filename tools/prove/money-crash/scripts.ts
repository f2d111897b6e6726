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

/** One step of a script, as data: the house prepares it, whoever kills the house plays it. */
export type Step =
  | { readonly kind: 'send'; readonly path: string; readonly body: object; readonly status: number }
  /** The card holder answers the challenge of the answer before. */
  | { readonly kind: 'challenge'; readonly answer: 'complete' | 'fail' }
  /** The next run of a kind of work may be killed; it follows from what is sent then. */
  | { readonly kind: 'work'; readonly task: string }
  /** Deadlines of these kinds have come. */
  | { readonly kind: 'due'; readonly deadlines: readonly string[] }

/** A script that is ready to be played. */
export interface Scene {
  readonly organization: string
  readonly login: { readonly username: string; readonly password: string } | 'administrator'
  readonly steps: readonly Step[]
}

/** The one key of a scene. */
export const keyOf = (organization: string): string => `proof ${organization}`

export interface Script {
  /** The operation that it tries, or the kind of work. */
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

/** An organization that pays in one way and in no other. */
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

/** Asks a card that wants its holder, lets the holder answer, and asks again. */
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

/** An order by card that can still be cancelled. */
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

/** The plain example of every operation that accepts a key and is answered. */
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

/** What is tried, by name: every operation that accepts a key, every way to pay, and the work that finishes with a card. */
export const scripts: Readonly<Record<string, Script>> = {
  ...plain,
  'an order on invoice': placed('invoice', (body) => [send(place, body)]),
  'an order that nobody can pay': placed('nothing', (body) => [send(place, body, declined)]),
  'an order by card': placed('pm_card_good', (body) => [send(place, body)]),
  'an order by a card that says no': placed('pm_card_declined', (body) => [send(place, body, declined)]),
  'an order by a challenged card': placed('pm_card_3ds', (body) => challenged(place, body, 'complete')),
  'an order by a card whose holder says no': placed('pm_card_3ds', (body) => challenged(place, body, 'fail')),
  'an order by card is delivered': placed('pm_card_good', (body) => [during('orders.fulfil'), send(place, body)]),
  'an order by card is charged': placed('pm_card_good', (body) => [during('billing.finish-card'), send(place, body)]),
  'an order by card is cancelled': cancelled('orders.cancel'),
  'the card of a cancelled order is let go': cancelled('orders.cancel', during('billing.finish-card')),
  'a top-up by a challenged card': asked('billing.topup', 'pm_card_3ds', (body) =>
    challenged('billing.topup', body, 'complete'),
  ),
  'a top-up by a card that says no': asked('billing.topup', 'pm_card_declined', (body) => [
    send('billing.topup', body, declined),
  ]),
  'an approval by a challenged card': asked('billing.approvals.approve', 'pm_card_3ds', (body) =>
    challenged('billing.approvals.approve', body, 'complete'),
  ),
  'an approval by a card that says no': asked('billing.approvals.approve', 'pm_card_declined', (body) => [
    send('billing.approvals.approve', body, declined),
  ]),
  'the money of a refund goes back': asked('billing.refunds.request', 'pm_card_good', (body) => [
    during('billing.send-refund'),
    send('billing.refunds.request', body),
  ]),
  'a challenge that nobody answers': placed('pm_card_3ds', (body) => [
    send(place, body, declined),
    during('billing.finish-card'),
    { kind: 'due', deadlines: ['authorisation-abandoned'] },
  ]),
  'a top-up that nobody finishes': asked('billing.topup', 'pm_card_3ds', (body) => [
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

/** Operations that accept a key, are answered, and have no script. */
export const withoutScript = (): string[] =>
  registry.filter(({ id, idempotent, answered }) => idempotent && answered && !isPlain(id)).map(({ id }) => id)
