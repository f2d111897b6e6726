import fc from 'fast-check'
import { day_ms } from '@swath/geo/time-units.ts'
import { member_count } from './fixture.ts'
import { window_ms, type SpendLimits, type Command, type ModelHold, type Mode, type ModelWallet } from './model.ts'
import type { PublishedCard } from './wallet.ts'

/**
 * A command that is independent of the wallet: numbers that `resolveDraft` turns into a command for the current wallet. So a
 * history remains meaningful when fast-check removes steps while shrinking.
 */
export type CommandDraft = {
  readonly [Do in keyof CommandDrafts]: { readonly do: Do } & CommandDrafts[Do]
}[keyof CommandDrafts]

interface CommandDrafts {
  grant: { readonly amount: number; readonly free: boolean; readonly days: number | null }
  withdraw: { readonly amount: number }
  hold: {
    readonly mode: Mode
    readonly user: number | null
    readonly amount: number
    readonly lines: readonly number[]
    readonly days: number | null
  }
  /** `lines`: a bit mask of the delivered lines; null for no lines. */
  settle: { readonly pick: number; readonly percent: number; readonly lines: number | null }
  release: { readonly pick: number }
  expire: { readonly pick: number }
  meet: { readonly pick: number }
  sweep: object
  revoke: { readonly free: boolean }
  cap: { readonly user: number; readonly caps: SpendLimits }
  read: object
  window: { readonly user: number }
  'top up': { readonly card: PublishedCard; readonly amount: number; readonly lost: boolean }
  'top up again': { readonly pick: number }
  challenge: { readonly pick: number; readonly passes: boolean }
  hear: { readonly pick: number; readonly turn: number }
  close: { readonly pick: number }
}

/** Values above zero are credits. */
const specialAmounts = { none: 0, all: -1, oneTooMany: -2 } as const

const amountArbitrary = (max: number): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max }) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(specialAmounts)) },
  )

/** From 0 one of the open ones; below 0 one of all, including resolved ones. */
const pickArbitrary = fc.oneof(
  { weight: 8, arbitrary: fc.nat(999) },
  { weight: 1, arbitrary: fc.integer({ min: -999, max: -1 }) },
)

const daysArbitrary = fc.option(fc.constantFrom(1 / 86_400, 1 / 24, 1, 8, 31), { freq: 3 })
const user = fc.nat(member_count - 1)
const limitArbitrary = fc.option(fc.constantFrom(0, 300, 2_000, 10_000), { freq: 2 })
const nothing = fc.record({})

/** Weight and arguments of each command; a new command needs a row here, in the model and in the performers. */
const draftArbitraries: {
  readonly [Do in keyof CommandDrafts]: readonly [weight: number, given: fc.Arbitrary<CommandDrafts[Do]>]
} = {
  grant: [6, fc.record({ amount: amountArbitrary(2_000), free: fc.boolean(), days: daysArbitrary })],
  withdraw: [1, fc.record({ amount: amountArbitrary(200) })],
  hold: [
    14,
    fc.record({
      mode: fc.oneof(
        { weight: 4, arbitrary: fc.constant<Mode>('credit') },
        { weight: 1, arbitrary: fc.constantFrom<Mode>('card', 'enterprise') },
      ),
      user: fc.option(user, { freq: 8 }),
      amount: amountArbitrary(400),
      lines: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(fc.nat(50), { minLength: 1, maxLength: 4 }) },
      ),
      days: daysArbitrary,
    }),
  ],
  settle: [
    7,
    fc.record({
      pick: pickArbitrary,
      percent: fc.oneof(fc.nat(100), fc.constantFrom(100, 101, -1)),
      lines: fc.option(fc.nat(15), { freq: 2 }),
    }),
  ],
  release: [3, fc.record({ pick: pickArbitrary })],
  expire: [1, fc.record({ pick: pickArbitrary })],
  meet: [4, fc.record({ pick: pickArbitrary })],
  sweep: [1, nothing],
  revoke: [1, fc.record({ free: fc.boolean() })],
  cap: [2, fc.record({ user, caps: fc.record({ per_order: limitArbitrary, window: limitArbitrary }) })],
  read: [2, nothing],
  window: [2, fc.record({ user })],
  'top up': [
    1,
    fc.record({
      card: fc.constantFrom<PublishedCard>('good', '3ds', 'declined'),
      // Processors charge no card for less than 50 cents.
      amount: fc.integer({ min: 50, max: 2_000 }),
      lost: fc.boolean(),
    }),
  ],
  'top up again': [1, fc.record({ pick: fc.nat(999) })],
  challenge: [1, fc.record({ pick: fc.nat(999), passes: fc.boolean() })],
  hear: [1, fc.record({ pick: fc.nat(999), turn: fc.nat(9) })],
  close: [1, fc.record({ pick: fc.nat(999) })],
}

/** Top-up commands involve the processor and several transactions. */
const topupCommands = ['top up', 'top up again', 'challenge', 'hear', 'close'] as const

const draftOf = (names: readonly CommandDraft['do'][]): fc.Arbitrary<CommandDraft> =>
  fc.oneof(
    ...names.map((name) => {
      const [weight, arbitrary] = draftArbitraries[name] as readonly [number, fc.Arbitrary<object>]
      return { weight, arbitrary: arbitrary.map((members) => ({ do: name, ...members }) as CommandDraft) }
    }),
  )

const names = Object.keys(draftArbitraries) as CommandDraft['do'][]

/** Drafts whose commands are one transaction each. */
export const singleTransactionDraft: fc.Arbitrary<CommandDraft> = draftOf(
  names.filter((name) => !topupCommands.includes(name as never)),
)

export const draftArbitrary: fc.Arbitrary<CommandDraft> = draftOf(names)

/** The wallet state that drafts are resolved against: the model's, or that of the responses so far. */
type ObservedWallet = Pick<ModelWallet, 'lots' | 'holds' | 'due' | 'accounts' | 'topups' | 'claims'>

const resolvers: {
  readonly [Do in keyof CommandDrafts]: (
    draftArbitrary: CommandDrafts[Do],
    observed: ObservedWallet,
    at: number,
    name: string,
  ) => Command
} = {
  grant: ({ amount, free, days }, _, at, name) => ({
    do: 'grant',
    at,
    name,
    kind: free ? 'grant_monthly' : 'purchase',
    amount: Math.max(amount, 0),
    priority: free ? 10 : 50,
    expiresAt: expiryAfter(at, days),
  }),
  withdraw: ({ amount }, observed, at) => ({
    do: 'withdraw',
    at,
    amount: Math.max(resolveAmount(observed, amount), 1),
  }),
  hold: ({ mode, user: member, amount, lines, days }, observed, at, name) => ({
    do: 'hold',
    at,
    name,
    mode,
    user: member,
    amount: lines.length > 0 ? lines.reduce((sum, line) => sum + line, 0) : resolveAmount(observed, amount),
    lines,
    expiresAt: expiryAfter(at, days),
  }),
  settle: ({ pick, percent, lines }, observed, at) => {
    const hold = pickHold(observed, pick)
    const { amount = 1, lines: prices = [] }: Partial<ModelHold> = observed.holds.get(hold) ?? {}
    if (lines === null || prices.length === 0) {
      const part = percent > 100 ? amount + 1 : percent < 0 ? -1 : Math.floor((amount * percent) / 100)
      return { do: 'settle', at, hold, amount: part, lines: null }
    }
    const delivered = prices.map((_, index) => index + 1).filter((line) => (lines >> (line - 1)) & 1)
    const sum = delivered.reduce((total, line) => total + prices[line - 1]!, 0)
    return { do: 'settle', at, hold, amount: percent > 100 ? sum + 1 : sum, lines: delivered }
  },
  release: ({ pick }, observed, at) => ({ do: 'release', at, hold: pickHold(observed, pick) }),
  expire: ({ pick }, observed, at) => ({ do: 'expire', at, hold: pickHold(observed, pick) }),
  meet: ({ pick }, observed, at) => {
    const due = [...observed.due].filter(([, when]) => pick < 0 || when <= at).toSorted(([, a], [, b]) => a - b)
    const [key] = due.length > 0 ? due[Math.abs(pick) % due.length]! : ['lot-expiry nothing']
    const [kind, subject] = key.split(' ') as [string, string]
    return { do: 'meet', at, kind, subject }
  },
  sweep: (_, __, at) => ({ do: 'sweep', at }),
  revoke: ({ free }, _, at) => ({ do: 'revoke', at, kind: free ? 'grant_monthly' : 'purchase' }),
  cap: ({ user: member, caps }, _, at) => ({ do: 'cap', at, user: member, caps }),
  read: (_, __, at) => ({ do: 'read', at }),
  window: ({ user: member }, _, at) => ({ do: 'window', at, user: member }),
  'top up': ({ card, amount, lost }, _, at, name) => ({ do: 'top up', at, name, card, amount, lost }),
  'top up again': ({ pick }, { claims }, at, name) => {
    const claim = pickOne(claims, pick)
    return claim === null ? { do: 'read', at } : { do: 'top up again', at, name, claim }
  },
  challenge: ({ pick, passes }, { topups }, at) => {
    const topup = pickOne(topups, pick, ({ theirs }) => theirs === 'requires_action')
    return topup === null ? { do: 'read', at } : { do: 'challenge', at, topup, passes }
  },
  close: ({ pick }, { topups }, at) => {
    const topup = pickOne(topups, pick)
    return topup === null ? { do: 'read', at } : { do: 'close', at, topup }
  },
  hear: ({ pick, turn }, { topups }, at) => {
    const topup = pickOne(topups, pick)
    return topup === null ? { do: 'read', at } : { do: 'hear', at, topup, turn }
  },
}

/** Resolves a draft to a command on a wallet; `name` is for the entities that it creates. */
export const resolveDraft = (draft: CommandDraft, observed: ObservedWallet, at: number, name: string): Command =>
  (
    resolvers[draft.do] as (draftArbitrary: CommandDraft, observed: ObservedWallet, at: number, name: string) => Command
  )(draft, observed, at, name)

function resolveAmount(observed: ObservedWallet, amount: number): number {
  const available = observed.accounts.get('wallet.available') ?? 0
  if (amount === specialAmounts.all) return available
  return amount === specialAmounts.oneTooMany ? available + 1 : amount
}

const expiryAfter = (at: number, days: number | null): number | null =>
  days === null ? null : at + Math.round(days * day_ms)

/** One of the last five matching names. */
function pickOne<Row>(
  rows: ReadonlyMap<string, Row>,
  pick: number,
  isMatching: (row: Row) => boolean = () => true,
): string | null {
  const matching = [...rows]
    .filter(([, row]) => isMatching(row))
    .map(([name]) => name)
    .slice(-5)
  return matching[pick % Math.max(1, matching.length)] ?? null
}

function pickHold({ holds }: ObservedWallet, pick: number): string {
  const names = [...holds].filter(([, hold]) => pick < 0 || hold.outcome === null).map(([name]) => name)
  return names.length > 0 ? names[Math.abs(pick) % names.length]! : 'nothing'
}

/** True with probability 1/n. */
export const oneIn = (number: number): fc.Arbitrary<boolean> =>
  fc.oneof({ weight: number - 1, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })

const jumps = {
  'to the next end': { of: 'ends', before: 0 },
  'just before the next end': { of: 'ends', before: 1 },
  'to where a window ends': { of: 'windows', before: 0 },
  'just before a window ends': { of: 'windows', before: 1 },
} as const

/** How far the clock advances before a step: milliseconds, or to the next time at which something expires. */
export type ClockAdvance = number | keyof typeof jumps

export const advanceArbitrary: fc.Arbitrary<ClockAdvance> = fc.oneof(
  { weight: 14, arbitrary: fc.constant<ClockAdvance>(0) },
  { weight: 3, arbitrary: fc.constantFrom<ClockAdvance>(1_000, 3_600_000, day_ms) },
  { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(jumps) as ClockAdvance[])) },
)

/** The new time; the next command runs a millisecond later. */
export function advanceClock({ due, holds }: ObservedWallet, now: number, by: ClockAdvance): number {
  if (typeof by === 'number') return now + by
  const { of, before } = jumps[by]
  const moments = of === 'ends' ? [...due.values()] : [...holds.values()].map((hold) => hold.at + window_ms)
  const upcoming = moments.filter((moment) => moment > now + 2)
  return upcoming.length === 0 ? now : Math.min(...upcoming) - 1 - before
}
