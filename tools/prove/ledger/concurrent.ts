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

/** What one client does, one after the other. */
type Script = readonly { readonly advance: Advance; readonly wish: Wish; readonly cut: boolean }[]

/** Connections are cut where every command is one transaction, which then happened or did not. */
const script = (length: number, cuts: boolean): fc.Arbitrary<Script> =>
  fc.array(
    fc.record({
      advance,
      wish: cuts ? plainWish : wish,
      cut: cuts ? oneIn(30) : fc.constant(false),
    }),
    { minLength: length, maxLength: length },
  )

/** What all clients of a history share. */
interface Scene {
  readonly world: World
  readonly acts: Omit<Act, 'left'>[]
  /** What was heard so far, in the order of hearing: good enough to choose by. */
  heard: Wallet
  now: number
  tick: number
  readonly underWay: Set<Command>
}

export interface Crowd {
  readonly clients: number
  /** Acts of each. */
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
 * Lets clients act at once on one fresh organization, each on connections of its own, and looks for one order of all they
 * did that the model explains, down to the rows at the end. With `cuts`, some connections are cut while they commit.
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
  // Connections that were cut and not used since are found out here.
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
  // The journal has an order of its own: where it is right, nothing is searched.
  const positions = new Map(found.entries.map((entry) => [Date.parse(entry.created_at), entry.position]))
  const rank = ({ command, answer }: Act): number => positions.get(command.at) ?? (answer === null ? Infinity : 0)
  const search = findOrder(emptyWallet(), acts, judge, rank)
  const { wallet, states } = search
  const violations = wallet ? await faultsAtTheEnd(world, wallet, found.head) : [explainNone(acts, search)]
  return { acts: acts.length, unknown: acts.filter(({ answer }) => answer === null).length, states, violations }
}

/** Every act has a time of its own, which its entries and events bear. */
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

/** A lot may be read before its name is known. */
const renamed = ({ names }: World, answer: Answer | null): Answer | null =>
  JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    typeof value === 'string' ? (names.get(value) ?? value) : value,
  )

const eventsOf = ({ organization, ground }: World): Promise<{ kind: string; at: Date }[]> =>
  ground.database.of(organization).query(sql`
    select kind, created_at as at from events where organization_id = ${organization} order by id`)

function explainNone(acts: readonly Act[], { states, longest, complaint }: Search): string {
  const end =
    complaint === null ? `the longest explains ${longest.length}` : `the first that explains them all: ${complaint}`
  const follow = complaint === null ? whatCouldFollow(emptyWallet(), acts, longest) : []
  return [
    `no order explains all ${acts.length} acts (${states} states tried); ${end}`,
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

/** Where the connection was lost nobody knows what became of the command. */
const unknown = (error: unknown): null => {
  if (!isLoss(error)) throw error
  return null
}

/** Ends the connection of a command from another one while it commits, or soon after, when it may be another's. */
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

/** In another order than it happened a command may be none at all. */
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
