import { createHash } from 'node:crypto'
import type { ProblemName } from '@swath/contract/problems.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { Problem } from './problem.ts'
import {
  finishClaim,
  findClaim,
  insertClaim,
  moveClaim,
  releaseClaim,
  renewClaim,
  takeOverClaim,
  type ClaimRow,
  type KeptAnswer,
} from './store.once.ts'

/** A call that holds an idempotency key. Its transaction writes how far it came, so that a killed call goes on from there. */
export interface Claim {
  readonly key: string
  /** `claimed` until a transaction of the call has reached a later point. */
  readonly point: string
  /** What was written with the point, such as the id of the order that exists already. */
  readonly data: Readonly<Record<string, unknown>>
  /** Writes the recovery point in the transaction of the effect. */
  reach(tx: Tx, point: string, data: Readonly<Record<string, unknown>>): Promise<void>
}

export interface OnceRequest {
  readonly db: Db
  readonly organization: string
  readonly operation: string
  readonly key: string
  /** Who sends the key, as `kind:id`. */
  readonly principal: string
  readonly input: unknown
}

/** A claim whose holder has not renewed it for this long belongs to a process that died. */
const lease_ms = 15_000
const renew_ms = 5_000
const wait_ms = 2_000
const poll_ms = 50

/** JSON with sorted keys: two bodies that mean the same are the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

const hashOf = (input: unknown): string => createHash('sha256').update(canonicalJson(input)).digest('hex')

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** What is kept of a failure; null where the key must stay a way to try again. */
export type KeepRefusal = (error: unknown) => KeptAnswer | null

/**
 * Runs `work` at most once per (organization, operation, key). The first caller works and its answer is kept for
 * 24 hours by the database's clock; the same body of the same principal again gets the kept answer; another body, or
 * another principal, is `idempotency-conflict`; a duplicate in flight waits a little, then is `idempotency-in-flight`. A refusal before any durable effect frees the
 * key; one after it is an answer, as far as `refusal` makes one of it. Any other failure leaves the point to go on from.
 */
export async function once(
  request: OnceRequest,
  work: (claim: Claim) => Promise<KeptAnswer>,
  refusal: KeepRefusal = () => null,
): Promise<KeptAnswer & { readonly replayed: boolean }> {
  const hash = hashOf(request.input)
  const held = await hold(request, hash)
  if (held.response !== null) return { ...held.response, replayed: true }
  if (held.recovery_point === refusedPoint) await sayAgain(request, held)
  const claim = claimOf(request, held)
  const renewal = setInterval(() => void renewClaim(request.db, request, held.holder).catch(() => {}), renew_ms)
  renewal.unref()
  try {
    const answer = await work(claim).catch((error: unknown) => {
      const kept = hasEffect(claim) ? refusal(error) : null
      if (kept === null) throw error
      return kept
    })
    await finishClaim(request.db, request, held.holder, answer)
    return { ...answer, replayed: false }
  } catch (error) {
    await releaseClaim(request.db, request, held.holder)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** Inserts the claim or joins the one that is there. */
async function hold(request: OnceRequest, hash: string): Promise<ClaimRow> {
  for (let waited = 0; ; waited += poll_ms) {
    const mine =
      (await insertClaim(request.db, request, hash, lease_ms)) ??
      (await takeOverClaim(request.db, request, hash, lease_ms))
    if (mine) return mine
    const theirs = await findClaim(request.db, request, lease_ms)
    if (theirs && theirs.body_hash !== hash) {
      throw new Problem('idempotency-conflict', 'This Idempotency-Key was used with another body.')
    }
    if (theirs) requireOwn(request, theirs)
    if (theirs?.response) return theirs
    if (waited >= wait_ms) {
      throw new Problem('idempotency-in-flight', 'The first call with this Idempotency-Key is still running.', {
        retry_after_s: Math.max(1, Math.ceil((theirs?.lease_rest_ms ?? 0) / 1000)),
      })
    }
    await pause(poll_ms)
  }
}

/** The answer is told to nobody but whom it was given to: what another may not ask, it may not hear either. */
function requireOwn({ principal }: OnceRequest, theirs: ClaimRow): void {
  const unknown = theirs.principal === null && theirs.response === null
  if (theirs.principal === principal || unknown) return
  throw new Problem('idempotency-conflict', 'This Idempotency-Key was used by somebody else.')
}

/** A point at which the call was refused for good and has left nothing: it is told so once, then the key is free. */
export const refusedPoint = 'refused'

/** What is written with that point, in the transaction that takes back what the call had begun. */
export const refusedData = ({ problem, message, extra }: Problem): Readonly<Record<string, unknown>> => ({
  problem,
  detail: message,
  extra,
})

/** The holder died between its refusal and its answer: the caller hears it now. */
async function sayAgain(request: OnceRequest, { holder, recovery_data }: ClaimRow): Promise<never> {
  await releaseClaim(request.db, request, holder)
  const { problem, detail, extra } = recovery_data as { problem: ProblemName; detail: string; extra: object }
  throw new Problem(problem, detail, { ...extra })
}

/** Points at which nothing has happened yet that anybody could see. */
const withoutEffect = new Set(['claimed', 'payment_pending', refusedPoint])

/** True when this very try has reached a point with an effect. One that only went on from it may be refused for another reason. */
const hasEffect = ({ point, hasMoved }: HeldClaim): boolean => hasMoved && !withoutEffect.has(point)

interface HeldClaim extends Claim {
  /** Whether this try has reached a point itself, be it the one where the last try ended. */
  readonly hasMoved: boolean
}

function claimOf(request: OnceRequest, held: ClaimRow): HeldClaim {
  const state = { point: held.recovery_point, data: held.recovery_data, hasMoved: false }
  return {
    key: request.key,
    get hasMoved() {
      return state.hasMoved
    },
    get point() {
      return state.point
    },
    get data() {
      return state.data
    },
    reach: async (tx, point, data) => {
      await moveClaim(tx, request, held.holder, point, data)
      // A transaction that rolls back has reached nothing.
      tx.afterCommit(() => Object.assign(state, { point, data, hasMoved: true }))
    },
  }
}
