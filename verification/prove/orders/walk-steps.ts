import { createBox } from '../harness/demo-scene.ts'
import { choose, chooseRecent, type SandboxStage } from './stage.ts'

/** A step of the walk. It may be refused with a problem; that is no violation. */
interface WalkStep {
  readonly name: string
  readonly weight: number
  run(stage: SandboxStage): Promise<unknown>
}

const hour_s = 3600
const day_s = 24 * hour_s

const square = ([lon, lat]: readonly [number, number]) => createBox(lon, lat, lon + 0.05, lat + 0.05)

/** Areas of different clouds and passes. */
const places = [[-3.5, 50.7], [-3, 51.7], [153, -27.5], [2.3, 48.8], [20, 25], [10, 60]] as const // prettier-ignore
const taskingProducts = ['tasking-10m', 'tasking-10m', 'tasking-30cm', 'tasking-50cm', 'tasking-1m5'] as const

/** Calls an operation whose input is chosen at run time. */
const call = <T>({ client }: SandboxStage, operation: string, input: object): Promise<T> =>
  client.call(operation as never, input as never) as Promise<T>

const administer = <T>({ app, organization }: SandboxStage, operation: string, input: object): Promise<T> =>
  app.admin.call(operation as never, { organization_id: organization, ...input } as never) as Promise<T>

const maybe = (random: () => number, share: number, fields: object): object => (random() < share ? fields : {})

async function placeArchive(stage: SandboxStage): Promise<void> {
  const { random, captures, orders, quotes } = stage
  const chosen = random() < 0.3 ? captures : [choose(random, captures)]
  const quote_id = random() < 0.3 ? chooseRecent(random, quotes) : null
  const input = quote_id
    ? { quote_id }
    : { captures: chosen, ...maybe(random, 0.1, { max_credits: 1 }), ...maybe(random, 0.1, { dry_run: true }) }
  const { id } = await call<{ id: string }>(stage, 'orders.archive.place', input)
  if (!('dry_run' in input)) orders.push(id)
}

async function placeTasking(stage: SandboxStage): Promise<void> {
  const { random, orders } = stage
  const groups = Array.from({ length: random() < 0.2 ? 2 : 1 }, () => ({ geometry: square(choose(random, places)) }))
  const params = {
    ...maybe(random, 0.5, { maxCloudCover: choose(random, [10, 30, 60]) }),
    ...maybe(random, 0.4, { replan: true }),
  }
  const dataProduct = `constellation:${choose(random, taskingProducts)}`
  const input = { groups, dataProduct, params, ...maybe(random, 0.1, { dry_run: true }) }
  const { id } = await call<{ id: string }>(stage, 'orders.tasking.place', input)
  if (!('dry_run' in input)) orders.push(id)
}

interface Decision {
  readonly id: string
  readonly kind: 'feasibility' | 'quotation'
  readonly orderId: string
}

async function decide(stage: SandboxStage): Promise<void> {
  const { random } = stage
  const { content } = await call<{ content: Decision[] }>(stage, 'orders.tasking.decisions.pending', {})
  if (content.length === 0) return
  const { id, kind, orderId } = choose(random, content)
  const spend = { ...maybe(random, 0.1, { dry_run: true }), ...maybe(random, 0.1, { max_credits: 10 }) }
  if (kind === 'quotation') {
    const decision = choose(random, ['ACCEPTED', 'ACCEPTED', 'REJECTED'])
    await call(stage, 'orders.tasking.quotation_decide', { quotation_id: id, decision, ...spend })
    return
  }
  const studies = await call<{ content: { id: string; options: { id: string }[] }[] }>(
    stage,
    'orders.tasking.feasibility_studies.list',
    { orderId },
  )
  const option = choose(random, studies.content.find((study) => study.id === id)?.options ?? [{ id: 'none' }])
  await call(stage, 'orders.tasking.feasibility_decide', { study_id: id, acceptedOptionId: option.id, ...spend })
}

/** Uploads a quotation or a study for a recent order, or changes its state, as a provider does by hand. */
async function actAsProvider(stage: SandboxStage): Promise<void> {
  const { random, orders } = stage
  const order_id = chooseRecent(random, orders)
  if (order_id === null) return
  const reason = 'the walk of the proof'
  const acts: readonly (() => Promise<unknown>)[] = [
    () =>
      administer(stage, 'admin.tasking.quotation_upload', {
        order_id,
        creditsPrice: choose(random, [0, 900, 50_000, 2_000_000]),
        reason,
      }),
    () => {
      const options = [{ description: 'one', creditsPrice: choose(random, [null, 700, 3_000_000]) }]
      return administer(stage, 'admin.tasking.study_upload', {
        order_id,
        options: random() < 0.2 ? [] : options,
        reason,
      })
    },
    () =>
      administer(stage, 'admin.tasking.order_transition', {
        order_id,
        transition: choose(random, ['schedule', 'task', 'collect', 'replan', 'downlink', 'process', 'fail']),
        reason_code: 'by_hand',
        reason,
      }),
  ]
  await choose(random, acts)()
}

const hostScenarios: readonly object[] = [
  { kind: 'host.delay', seconds: hour_s },
  { kind: 'host.delay', seconds: 2 * day_s },
  { kind: 'host.partial_delivery', missing_scenes: 1 },
  { kind: 'host.refuse_order' },
  { kind: 'host.refuse_delivery' },
  { kind: 'host.fail', times: 2 },
  { kind: 'host.fail', times: 9 },
  { kind: 'host.lose_response' },
  { kind: 'host.wrong_checksum', deliveries: 1 },
  { kind: 'host.wrong_checksum', deliveries: 50 },
  { kind: 'payment.decline' },
  { kind: 'payment.end_authorisations' },
  { kind: 'payment.lose_notification' },
  { kind: 'payment.reject_refund' },
  { kind: 'payment.refund_charge' },
  { kind: 'payment.open_dispute' },
  { kind: 'payment.close_disputes', outcome: 'won' },
  { kind: 'payment.close_disputes', outcome: 'lost' },
]

async function cancel(stage: SandboxStage): Promise<void> {
  const order_id = chooseRecent(stage.random, stage.orders)
  if (order_id === null) return
  await call(stage, 'orders.cancel', {
    order_id,
    ...maybe(stage.random, 0.1, { dry_run: true }),
    ...maybe(stage.random, 0.1, { max_credits: 0 }),
  })
}

async function readOrder(stage: SandboxStage): Promise<void> {
  const order_id = chooseRecent(stage.random, stage.orders)
  if (order_id === null) return
  await call(stage, 'orders.get', { order_id })
  await call(stage, 'orders.timeline', { order_id })
}

async function payByCard(stage: SandboxStage): Promise<void> {
  const { random, cards, topups } = stage
  if (cards.length < 2) {
    const payment_method_id = choose(random, ['pm_card_good', 'pm_card_good', 'pm_card_declined', 'pm_card_3ds'])
    cards.push((await call<{ id: string }>(stage, 'payment_methods.attach', { payment_method_id })).id)
    return
  }
  if (random() < 0.3 && topups.length > 0) {
    await call(stage, 'billing.refunds.request', { topup_id: choose(random, topups), credits: 300 })
    return
  }
  topups.push((await call<{ id: string }>(stage, 'billing.topup', { credits: 1000 })).id)
}

/** Fills or empties the wallet, so that some purchases are refused and others paid by card. */
async function adjustCredits(stage: SandboxStage): Promise<void> {
  const { available_credits } = await call<{ available_credits: number }>(stage, 'billing.credits.balance', {})
  const amount_credits = available_credits > 10_000 ? 500 - available_credits : 1_000_000
  await administer(stage, 'admin.orgs.credit_adjust', { amount_credits, reason: 'the walk of the proof' })
}

/** Two calls at once: both may be refused, and never both succeed where only one may. */
async function actTwice(stage: SandboxStage): Promise<void> {
  const step = stage.random() < 0.5 ? cancel : decide
  const outcomes = await Promise.allSettled([step(stage), advance(stage, [0])])
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

const advance = (stage: SandboxStage, seconds: readonly number[]): Promise<unknown> =>
  call(stage, 'sandbox.clock.advance', { seconds: choose(stage.random, seconds) })

const walkSteps: readonly WalkStep[] = [
  { name: 'order scenes', weight: 7, run: placeArchive },
  {
    name: 'lock a price',
    weight: 3,
    run: async (stage) => {
      const captures = [choose(stage.random, stage.captures)]
      stage.quotes.push((await call<{ quote_id: string }>(stage, 'orders.quote', { captures })).quote_id)
    },
  },
  { name: 'order an acquisition', weight: 9, run: placeTasking },
  { name: 'decide', weight: 10, run: decide },
  { name: 'act as the provider', weight: 10, run: actAsProvider },
  {
    name: 'run a scenario',
    weight: 8,
    run: (stage) => call(stage, 'sandbox.scenario.run', { scenario: choose(stage.random, hostScenarios) }),
  },
  { name: 'cancel', weight: 7, run: cancel },
  { name: 'read an order', weight: 8, run: readOrder },
  { name: 'pay by card', weight: 5, run: payByCard },
  { name: 'adjust the credits', weight: 3, run: adjustCredits },
  { name: 'act while the clock is advanced', weight: 5, run: actTwice },
  { name: 'run what is due', weight: 12, run: (stage) => advance(stage, [0]) },
  { name: 'advance the clock', weight: 8, run: (stage) => advance(stage, [60, 600, hour_s, 3 * hour_s]) },
  { name: 'advance the clock by days', weight: 1, run: (stage) => advance(stage, [day_s, 3 * day_s, 8 * day_s]) },
  { name: 'reset', weight: 0.3, run: (stage) => call(stage, 'sandbox.reset', {}) },
]

const total_weight = walkSteps.reduce((sum, { weight }) => sum + weight, 0)

export function chooseStep(random: () => number): WalkStep {
  let rest = random() * total_weight
  return walkSteps.find(({ weight }) => (rest -= weight) < 0) ?? walkSteps[0]!
}
