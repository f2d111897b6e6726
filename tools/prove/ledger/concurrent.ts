import fc from 'fast-check'
import { ownerOf } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { differenceFrom, inBrief, look, type Found } from './check.ts'
import { faultsAtTheEnd } from './ending.ts'
import { findOrder, whatCouldFollow, type Act, type Search } from './linearize.ts'
import { apply, emptyWallet, type Answer, type Command, type Wallet } from './model.ts'
import { advance, advanceTo, choose, oneIn, plainWish, wish, type Advance, type Wish } from './wishes.ts'
import { isLoss, perform } from './perform.ts'
import { doClash } from './till.ts'
import { foundWorld, type Ground, type World } from './world.ts'

/** The sequence of commands of one client. */
type Script = readonly { readonly advance: Advance; readonly wish: Wish; readonly cut: boolean }[]

/** Connections are cut only for commands of one transaction, which is then committed or not. */
const script = (length: number, cuts: boolean): fc.Arbitrary<Script> =>
  fc.array(
    fc.record({
      advance,
      wish: cuts ? plainWish : wish,
      cut: cuts ? oneIn(30) : fc.constant(false),
    }),
    { minLength: length, maxLength: length },
  )

/** Shared state of all clients of a history. */
interface Scene {
  readonly world: World
  readonly acts: Omit<Act, 'left'>[]
  /** The wallet by the responses so far, in the order of their arrival: sufficient to choose commands. */
  heard: Wallet
  now: number
  tick: number
  readonly underWay: Set<Command>
}

export interface Crowd {
  readonly clients: number
  /** Commands per client. */
  readonly length: number
  readonly cuts: boolean
}

export interface Told {
  readonly acts: number
  readonly unknown: number
  readonly states: number
  readonly violations: readonly string[]
}

/**
 * Runs clients concurrently on one new organization and searches a linearization of all commands that agrees with the model,
 * including the final rows. With `cuts`, some connections are terminated during commit.
 */
export async function actAtOnce(ground: Ground, seed: number, { clients, length, cuts }: Crowd): Promise<Told> {
  const world = await foundWorld(ground)
  const scene: Scene = {
    world,
    acts: [],
    heard: emptyWallet(),
    now: Date.UTC(2026, 2, 1),
    tick: 0,
    underWay: new Set(),
  }
  const scripts = fc.sample(script(length, cuts), { seed, numRuns: clients })
  await Promise.all(scripts.map((lines, client) => follow(scene, lines, client)))
  // Detects connections that were terminated and not used since.
  await Promise.all(scripts.map(() => ground.database.ping().catch(unknown)))
  const names = [...world.ids.keys()]
  const found = await look(world, { position: 0, hash: '' }, { lots: names, holds: names })
  const acts = await joinTraces(scene, found)
  const judge = (wallet: Wallet): string | null => {
    const all = { lots: [...wallet.lots.keys()], holds: [...wallet.holds.keys()] }
    const rows = [found.lots, found.holds].map((columns) => Object.keys(columns).length)
    if (rows[0] !== all.lots.length || rows[1] !== all.holds.length) return `there are ${rows.join(' lots and ')} holds`
    return differenceFrom(wallet, found, world, all)
  }
  // The journal positions are tried first; if they are right, the search is linear.
  const positions = new Map(found.entries.map((entry) => [Date.parse(entry.created_at), entry.position]))
  const rank = ({ command, answer }: Act): number => positions.get(command.at) ?? (answer === null ? Infinity : 0)
  const search = findOrder(emptyWallet(), acts, judge, rank)
  const { wallet, states } = search
  const violations = wallet ? await faultsAtTheEnd(world, wallet, found.head) : [explainNone(acts, search)]
  return { acts: acts.length, unknown: acts.filter(({ answer }) => answer === null).length, states, violations }
}

/** Every act has a unique time, by which its entries and events are assigned. */
async function joinTraces({ world, acts }: Scene, found: Found): Promise<Act[]> {
  const events = await eventsOf(world)
  return acts.map((act) => ({
    ...act,
    answer: renamed(world, act.answer),
    left: {
      entries: found.entries.filter((entry) => Date.parse(entry.created_at) === act.command.at).map(inBrief),
      told: events.filter(({ at }) => at.getTime() === act.command.at).map(({ kind }) => kind),
    },
  }))
}

/** Replaces ids by model names: a lot may be read before its name is registered. */
const renamed = ({ names }: World, answer: Answer | null): Answer | null =>
  JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    typeof value === 'string' ? (names.get(value) ?? value) : value,
  )

const eventsOf = ({ organization, ground }: World): Promise<{ kind: string; at: Date }[]> =>
  ground.database.of(organization).query(sql`
    select kind, created_at as at from events where organization_id = ${organization} order by id`)

function explainNone(acts: readonly Act[], { states, longest, complaint }: Search): string {
  const end =
    complaint === null ? `the longest explains ${longest.length}` : `the first complete order: ${complaint}`
  const follow = complaint === null ? whatCouldFollow(emptyWallet(), acts, longest) : []
  return [
    `no order explains all ${acts.length} acts (${states} states searched); ${end}`,
    ...follow,
    tell(acts, longest),
  ].join('\n')
}

async function follow(scene: Scene, lines: Script, client: number): Promise<void> {
  for (const [index, line] of lines.entries()) {
    scene.now = advanceTo(scene.heard, scene.now, line.advance) + 1
    const at = scene.now
    const wished = choose(line.wish, scene.heard, at, `${client}.${index}`)
    const command: Command = [...scene.underWay].some((other) => doClash(other, wished)) ? { do: 'read', at } : wished
    const invoked = ++scene.tick
    scene.underWay.add(command)
    const answer = await (line.cut ? performCut : perform)(scene.world, command).catch(unknown)
    scene.underWay.delete(command)
    scene.acts.push({ command, answer, invoked, answered: answer === null ? Infinity : ++scene.tick })
    if (answer !== null && !('fault' in answer)) scene.heard = hear(scene.heard, command)
  }
}

/** If the connection was lost the outcome of the command is unknown. */
const unknown = (error: unknown): null => {
  if (!isLoss(error)) throw error
  return null
}

/** Terminates the backend of a command during its commit, or soon after, when another command may use it. */
async function performCut(world: World, command: Command): Promise<Answer> {
  const owner = ownerOf(world.ground.database)
  let cut: Promise<unknown> = Promise.resolve()
  try {
    return await perform(world, command, async (tx) => {
      const [own] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      cut = owner.query(sql`select pg_terminate_backend(${own!.pid})`).catch(unknown)
    })
  } finally {
    await cut
  }
}

/** Applied in another order than it was executed, a command may be invalid. */
function hear(wallet: Wallet, command: Command): Wallet {
  try {
    return apply(wallet, command).wallet
  } catch {
    return wallet
  }
}

const tell = (acts: readonly Act[], explained: readonly Act[]): string =>
  acts
    .toSorted((a, b) => a.invoked - b.invoked)
    .map((act) => {
      const place = explained.indexOf(act)
      const when = `${act.invoked}–${act.answered}${place < 0 ? '' : ` (${place + 1})`}`
      return `  ${when}: ${JSON.stringify(act.command)} → ${JSON.stringify(act.answer)}`
    })
    .join('\n')
