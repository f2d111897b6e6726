import fc from 'fast-check'
import { members } from './world.ts'
import { window_ms, type Caps, type Command, type Hold, type Mode, type Wallet } from './model.ts'
import type { PublishedCard } from './wallet.ts'

/**
 * A command that is independent of the wallet: numbers that `resolveDraft` turns into a command for the current wallet. So a
 * history remains meaningful when fast-check removes steps while shrinking.
 */
export type Wish = { readonly [Do in keyof Wishes]: { readonly do: Do } & Wishes[Do] }[keyof Wishes]

interface Wishes {
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
  cap: { readonly user: number; readonly caps: Caps }
  read: object
  window: { readonly user: number }
  'top up': { readonly card: PublishedCard; readonly amount: number; readonly lost: boolean }
  'top up again': { readonly pick: number }
  challenge: { readonly pick: number; readonly passes: boolean }
  hear: { readonly pick: number; readonly turn: number }
  close: { readonly pick: number }
}

const day_ms = 24 * 3_600_000

/** Values above zero are credits. */
const specialAmounts = { none: 0, all: -1, oneTooMany: -2 } as const

const amounts = (max: number): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max }) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(specialAmounts)) },
  )

/** From 0 one of the open ones; below 0 one of all, including resolved ones. */
const picks = fc.oneof(
  { weight: 8, arbitrary: fc.nat(999) },
  { weight: 1, arbitrary: fc.integer({ min: -999, max: -1 }) },
)

const daysOrNever = fc.option(fc.constantFrom(1 / 86_400, 1 / 24, 1, 8, 31), { freq: 3 })
const user = fc.nat(members - 1)
const limits = fc.option(fc.constantFrom(0, 300, 2_000, 10_000), { freq: 2 })
const nothing = fc.record({})

/** Weight and arguments of each command; a new command needs a row here, in the model and in the performers. */
const wishes: { readonly [Do in keyof Wishes]: readonly [weight: number, given: fc.Arbitrary<Wishes[Do]>] } = {
  grant: [6, fc.record({ amount: amounts(2_000), free: fc.boolean(), days: daysOrNever })],
  withdraw: [1, fc.record({ amount: amounts(200) })],
  hold: [
    14,
    fc.record({
      mode: fc.oneof(
        { weight: 4, arbitrary: fc.constant<Mode>('credit') },
        { weight: 1, arbitrary: fc.constantFrom<Mode>('card', 'enterprise') },
      ),
      user: fc.option(user, { freq: 8 }),
      amount: amounts(400),
      lines: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(fc.nat(50), { minLength: 1, maxLength: 4 }) },
      ),
      days: daysOrNever,
    }),
  ],
  settle: [
    7,
    fc.record({
      pick: picks,
      percent: fc.oneof(fc.nat(100), fc.constantFrom(100, 101, -1)),
      lines: fc.option(fc.nat(15), { freq: 2 }),
    }),
  ],
  release: [3, fc.record({ pick: picks })],
  expire: [1, fc.record({ pick: picks })],
  meet: [4, fc.record({ pick: picks })],
  sweep: [1, nothing],
  revoke: [1, fc.record({ free: fc.boolean() })],
  cap: [2, fc.record({ user, caps: fc.record({ per_order: limits, window: limits }) })],
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
export const topupWishes = ['top up', 'top up again', 'challenge', 'hear', 'close'] as const

const anyOf = (names: readonly Wish['do'][]): fc.Arbitrary<Wish> =>
  fc.oneof(
    ...names.map((name) => {
      const [weight, given] = wishes[name] as readonly [number, fc.Arbitrary<object>]
      return { weight, arbitrary: given.map((members) => ({ do: name, ...members }) as Wish) }
    }),
  )

const names = Object.keys(wishes) as Wish['do'][]

/** Drafts whose commands are one transaction each. */
export const plainWish: fc.Arbitrary<Wish> = anyOf(names.filter((name) => !topupWishes.includes(name as never)))

export const wish: fc.Arbitrary<Wish> = anyOf(names)

/** The wallet state that drafts are resolved against: the model's, or that of the responses so far. */
export type Seen = Pick<Wallet, 'lots' | 'holds' | 'due' | 'accounts' | 'topups' | 'claims'>

const choices: { readonly [Do in keyof Wishes]: (wish: Wishes[Do], seen: Seen, at: number, name: string) => Command } =
  {
    grant: ({ amount, free, days }, _, at, name) => ({
      do: 'grant',
      at,
      name,
      kind: free ? 'grant_monthly' : 'purchase',
      amount: Math.max(amount, 0),
      priority: free ? 10 : 50,
      ends: endOf(at, days),
    }),
    withdraw: ({ amount }, seen, at) => ({ do: 'withdraw', at, amount: Math.max(amountOf(seen, amount), 1) }),
    hold: ({ mode, user: member, amount, lines, days }, seen, at, name) => ({
      do: 'hold',
      at,
      name,
      mode,
      user: member,
      amount: lines.length > 0 ? lines.reduce((sum, line) => sum + line, 0) : amountOf(seen, amount),
      lines,
      ends: endOf(at, days),
    }),
    settle: ({ pick, percent, lines }, seen, at) => {
      const hold = pickHold(seen, pick)
      const { amount = 1, lines: prices = [] }: Partial<Hold> = seen.holds.get(hold) ?? {}
      if (lines === null || prices.length === 0) {
        const part = percent > 100 ? amount + 1 : percent < 0 ? -1 : Math.floor((amount * percent) / 100)
        return { do: 'settle', at, hold, amount: part, lines: null }
      }
      const delivered = prices.map((_, index) => index + 1).filter((line) => (lines >> (line - 1)) & 1)
      const sum = delivered.reduce((total, line) => total + prices[line - 1]!, 0)
      return { do: 'settle', at, hold, amount: percent > 100 ? sum + 1 : sum, lines: delivered }
    },
    release: ({ pick }, seen, at) => ({ do: 'release', at, hold: pickHold(seen, pick) }),
    expire: ({ pick }, seen, at) => ({ do: 'expire', at, hold: pickHold(seen, pick) }),
    meet: ({ pick }, seen, at) => {
      const due = [...seen.due].filter(([, when]) => pick < 0 || when <= at).toSorted(([, a], [, b]) => a - b)
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

/** Resolves a draft to a command on a wallet; `name` is for what it creates. */
export const choose = (wished: Wish, seen: Seen, at: number, name: string): Command =>
  (choices[wished.do] as (wish: Wish, seen: Seen, at: number, name: string) => Command)(wished, seen, at, name)

function amountOf(seen: Seen, amount: number): number {
  const available = seen.accounts.get('wallet.available') ?? 0
  if (amount === specialAmounts.all) return available
  return amount === specialAmounts.oneTooMany ? available + 1 : amount
}

const endOf = (at: number, days: number | null): number | null =>
  days === null ? null : at + Math.round(days * day_ms)

/** One of the last five matching names. */
function pickOne<Row>(
  rows: ReadonlyMap<string, Row>,
  pick: number,
  fits: (row: Row) => boolean = () => true,
): string | null {
  const found = [...rows]
    .filter(([, row]) => fits(row))
    .map(([name]) => name)
    .slice(-5)
  return found[pick % Math.max(1, found.length)] ?? null
}

function pickHold({ holds }: Seen, pick: number): string {
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
export type Advance = number | keyof typeof jumps

export const advance: fc.Arbitrary<Advance> = fc.oneof(
  { weight: 14, arbitrary: fc.constant<Advance>(0) },
  { weight: 3, arbitrary: fc.constantFrom<Advance>(1_000, 3_600_000, day_ms) },
  { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(jumps) as Advance[])) },
)

/** The new time; the next command runs a millisecond later. */
export function advanceTo({ due, holds }: Seen, now: number, by: Advance): number {
  if (typeof by === 'number') return now + by
  const { of, before } = jumps[by]
  const moments = of === 'ends' ? [...due.values()] : [...holds.values()].map((hold) => hold.at + window_ms)
  const later = moments.filter((moment) => moment > now + 2)
  return later.length === 0 ? now : Math.min(...later) - 1 - before
}
