import { availableParallelism } from 'node:os'
import type { ProofOptions, Verdict } from '../proof.ts'
import { randomFrom } from '../random.ts'
import { openMortalHouse, restartPostgres, type MortalHouse, type Place } from './house.ts'
import type { Moment } from './kill-points.ts'
import { play, type Cut, type Piece, type Played } from './play.ts'
import { isPlain, scripts, withoutScript } from './scripts.ts'

/** How many statements beyond its counted number a call is cut at before the search ends. */
const slack = 20

/** Statements with a durable effect: commits, and writes outside a transaction. */
function lasting(statements: readonly string[]): number[] {
  let open = false
  return statements.flatMap((statement, index) => {
    const counts = statement === 'commit' || (!open && /^(insert|update|delete|with)/i.test(statement))
    if (statement === 'begin') open = true
    if (statement === 'commit' || statement === 'rollback') open = false
    return counts ? [index + 1] : []
  })
}

/** Cuts around each durable statement and around the response, also without a retry: every state that can remain. */
function statesOf({ step, kind, statements }: Piece): Cut[] {
  const cut = (moment: Moment, at: number, abandoned = false): Cut => ({ step, plan: { moment, at }, abandoned })
  const counting = lasting(statements)
  const ends = [...new Set(counting.flatMap((at) => [at, at + 1]))]
  const around = [...ends.map((at) => cut('before', at)), ...counting.map((at) => cut('sent', at))]
  if (kind === 'work') return around
  const alone = ends.map((at) => cut('before', at, true))
  return [...around, cut('answer', 0), cut('written', 0), ...alone]
}

/** The number of the middle statement of each transaction. */
function middlesOf(statements: readonly string[]): number[] {
  return statements.flatMap((statement, index) => {
    if (statement !== 'begin') return []
    const within = statements.slice(index + 1).findIndex((next) => next === 'commit' || next === 'rollback')
    return within > 0 ? [index + 2 + (within >> 1)] : []
  })
}

const before = (step: number, at: number): Cut => ({ step, plan: { moment: 'before', at }, abandoned: false })

/** Adds cuts before further statements, without duplicates. */
function withMore(states: readonly Cut[], step: number, statements: readonly number[]): Cut[] {
  const taken = new Set(states.filter(({ abandoned }) => !abandoned).map(({ plan }) => `${plan.moment} ${plan.at}`))
  const others = statements.filter((at) => !taken.has(`before ${at}`))
  return [...states, ...others.map((at) => before(step, at))]
}

/** Every state, and the middle of each transaction. */
const statesAndMiddlesOf = (piece: Piece): Cut[] => withMore(statesOf(piece), piece.step, middlesOf(piece.statements))

/** Every state, and before every other statement. */
const cutsOf = (piece: Piece): Cut[] =>
  withMore(
    statesOf(piece),
    piece.step,
    piece.statements.map((_, index) => index + 1),
  )

const named = (script: string, { step, plan, abandoned }: Cut): string =>
  `${script}, step ${step}, killed ${plan.moment} ${plan.at}${abandoned ? ' without a retry' : ''}`

/** Differences between two runs of a script. */
function differences(clean: Played, played: Played): string[] {
  const told = clean.answers.flatMap((answer, index) =>
    played.answers[index] === answer ? [] : [`returned ${played.answers[index]} instead of ${answer}`],
  )
  const tables = Object.keys(clean.state).flatMap((table) => {
    const [wanted, found] = [clean.state[table]!, played.state[table] ?? []]
    const more = minus(found, wanted)
    const less = minus(wanted, found)
    return more.length + less.length === 0
      ? []
      : [`${table}: has ${more[0] ?? 'nothing more'}, lacks ${less[0] ?? 'nothing'}`]
  })
  return [...told, ...tables]
}

function minus(rows: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return rows.filter((row) => {
    const at = left.indexOf(row)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** Scripts of the short form, in addition to the plain example of each operation. */
const brief = new Set(['an order by a challenged card', 'an order by card is charged', 'a job by card begins'])

interface Tally {
  kills: number
  statements: number
  readonly violations: string[]
}

/** A script and its uninterrupted result. */
interface Model {
  readonly script: string
  readonly clean: Played
  /** The result with the last call sent twice; needed if the idempotency key was found free. */
  readonly again: () => Promise<Played>
}

/** Interrupts a script at each chosen point, and compares the results with uninterrupted runs. */
async function tryScript(house: MortalHouse, script: string, choose: Choose, tally: Tally): Promise<void> {
  const clean = await play(house, script)
  let again: Promise<Played> | undefined
  const model: Model = { script, clean, again: () => (again ??= play(house, script, { again: true })) }
  tally.violations.push(...clean.faults.map((fault) => `${script}: ${fault}`))
  const works = clean.pieces.filter(({ kind }) => kind === 'work')
  // The calls before the background task have scripts of their own.
  for (const piece of works.length > 0 ? works : clean.pieces) {
    const chosen = choose(piece)
    for (const cut of chosen.cuts) await tryCut(house, model, cut, tally)
    // A run may have more statements than the counted one: continue until one is not reached.
    for (let more = 1; chosen.all && more < slack; more++) {
      if (!(await tryCut(house, model, before(piece.step, piece.statements.length + more), tally))) break
    }
  }
  tally.statements += clean.pieces.reduce((sum, { statements }) => sum + statements.length, 0)
  const counts = clean.pieces.map(({ statements }) => statements.length).join(' + ')
  console.log(`${script}: ${counts} statements, ${tally.kills} kills and ${tally.violations.length} violations so far`)
}

/**
 * A payment refusal releases the idempotency key, so that the call can be retried. If that refusal is lost, the retry is a
 * second call, and the result must equal that of two calls.
 */
async function differencesOf({ clean, again }: Model, played: Played): Promise<string[]> {
  const found = differences(clean, played)
  if (found.length === 0 || !played.freed) return found
  const ofTwo = differences(await again(), played)
  return ofTwo.length === 0 ? [] : found
}

/** Returns true if the server crashed. */
async function tryCut(house: MortalHouse, model: Model, cut: Cut, tally: Tally): Promise<boolean> {
  const played = await play(house, model.script, { cut })
  if (played.died) tally.kills++
  const found = [...played.faults, ...(cut.abandoned ? [] : await differencesOf(model, played))]
  for (const sentence of found) {
    tally.violations.push(`${named(model.script, cut)}: ${sentence}`)
    console.log(`${named(model.script, cut)}: ${sentence}`)
  }
  return played.died
}

/** Chooses the cuts of a step, and whether these are all possible ones. */
type Choose = (piece: Piece) => { readonly cuts: readonly Cut[]; readonly all: boolean }

function someOf(count: number, random: () => number): Choose {
  return (piece) => {
    const left = cutsOf(piece)
    const chosen = Array.from(
      { length: Math.min(count, left.length) },
      () => left.splice(Math.floor(random() * left.length), 1)[0]!,
    )
    return { cuts: chosen, all: false }
  }
}

/**
 * A PostgreSQL server survives and sees the connection end at any statement. The embedded database ends with the process, so
 * the states that can remain are sufficient.
 */
const inFull: Readonly<Record<Place, Choose>> = {
  embedded: (piece) => ({ cuts: statesAndMiddlesOf(piece), all: true }),
  postgres: (piece) => ({ cuts: cutsOf(piece), all: true }),
  'postgres, restarted too': (piece) => ({ cuts: statesOf(piece), all: false }),
}

/** Scripts of a proof, and the choice of cuts for each. */
interface Extent {
  readonly names: readonly string[]
  readonly chooseFor: (script: string) => Choose
}

/** Runs several servers in parallel, each with its own data: most of the time of a crash is the restart. */
async function proveIn(place: Place, server: string | null, { names, chooseFor }: Extent, tally: Tally): Promise<void> {
  console.log(`in ${place}`)
  // The plain examples are first and short; running them last balances the servers.
  const left = names.toReversed()
  const work = async (): Promise<void> => {
    const house = await openMortalHouse(place, server)
    try {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        await tryScript(house, name, chooseFor(name), tally)
      }
      const books = await house.ask<string | null>('books')
      if (books !== null) tally.violations.push(`in ${place}: ${books}`)
    } finally {
      await house.close()
    }
  }
  await Promise.all(Array.from({ length: houses[place]() }, work))
}

/** More servers than CPUs, because restarts wait; only one if all of them share a database server that is restarted. */
const houses: Readonly<Record<Place, () => number>> = {
  embedded: () => 2 * availableParallelism(),
  postgres: () => 2 * availableParallelism(),
  'postgres, restarted too': () => 1,
}

function placesOf(server: string | null): readonly Place[] {
  if (server === null) return ['embedded']
  if (restartPostgres(server)) return ['postgres', 'postgres, restarted too']
  console.log('PostgreSQL was not started by .ci/postgres.sh, so it is not restarted')
  return ['postgres']
}

/**
 * Kills the server around each durable step and inside each transaction (on PostgreSQL: at each statement) of each idempotent
 * operation, of a paid job and of the task that captures or voids a card payment; restarts it, repeats the call with its
 * key, and compares the ledger and the processor with an uninterrupted run. With `DATABASE_URL` on PostgreSQL, which is
 * restarted as well in a second round; otherwise on the embedded database, which restarts with the server.
 */
export async function proveMoneyCrash({ short, seed, only = '' }: ProofOptions): Promise<Verdict> {
  const server = process.env['DATABASE_URL'] || null
  const places = placesOf(server)
  const tally: Tally = { kills: 0, statements: 0, violations: [] }
  tally.violations.push(...withoutScript().map((id) => `${id} is idempotent and implemented, but has no script`))
  const all = Object.keys(scripts)
  const names = all.filter((name) => name.includes(only) && (!short || isPlain(name) || brief.has(name)))
  if (names.length === 0) throw new Error(`no script has "${only}" in its name`)
  for (const place of places) {
    const some = (script: string): Choose => someOf(1, randomFrom(seed + all.indexOf(script)))
    await proveIn(place, server, { names, chooseFor: short ? some : () => inFull[place] }, tally)
  }
  const { kills, statements, violations } = tally
  return { tried: `${kills} kills in ${names.length} scripts of ${statements} statements`, violations }
}
