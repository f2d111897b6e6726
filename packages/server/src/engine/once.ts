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

/** The claim of a call on its idempotency key. Its transactions record recovery points, so that a killed call resumes there. */
export interface Claim {
  readonly key: string
  /** `claimed` until a transaction of the call has recorded a later recovery point. */
  readonly point: string
  /** Data recorded with the recovery point, such as the id of the order that exists already. */
  readonly data: Readonly<Record<string, unknown>>
  /** Records a recovery point in the transaction of the effect. */
  reach(tx: Tx, point: string, data: Readonly<Record<string, unknown>>): Promise<void>
}

export interface OnceRequest {
  readonly db: Db
  readonly organization: string
  readonly operation: string
  readonly key: string
  /** The principal that sends the key, as `kind:id`. */
  readonly principal: string
  readonly input: unknown
}

/** The holder of a claim that was not renewed for this long is taken to be dead. */
const lease_ms = 15_000
const renew_ms = 5_000
const wait_ms = 2_000
const poll_ms = 50

/** JSON with sorted keys: equal values have equal texts. */
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

/** Converts an error to a response that is stored for replay; null if a retry with the same key must run again. */
export type KeepRefusal = (error: unknown) => KeptAnswer | null

/**
 * Runs `work` at most once per (organization, operation, key). The response is stored for 24 hours by the database's clock;
 * a repetition with the same body and principal gets the stored response; another body or principal is
 * `idempotency-conflict`; a duplicate of a running call waits a little, then is `idempotency-in-flight`. An error before any
 * durable effect releases the key; one after it is stored if `toStorableError` returns a response for it. Any other
 * error keeps the recovery point for the next attempt.
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

/** Inserts a claim, takes over an abandoned one, or returns a finished one with its response. */
async function hold(request: OnceRequest, hash: string): Promise<ClaimRow> {
  for (let waited = 0; ; waited += poll_ms) {
    const mine =
      (await insertClaim(request.db, request, hash, lease_ms)) ??
      (await takeOverClaim(request.db, request, hash, lease_ms))
    if (mine) return mine
    const theirs = await findClaim(request.db, request, lease_ms)
    if (theirs && theirs.body_hash !== hash) {
      throw new Problem('idempotency-conflict', 'This Idempotency-Key was used with a different request body.')
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

/** Only the principal that got a response may replay it: another one may lack the permission for the call. */
function requireOwn({ principal }: OnceRequest, theirs: ClaimRow): void {
  const unknown = theirs.principal === null && theirs.response === null
  if (theirs.principal === principal || unknown) return
  throw new Problem('idempotency-conflict', 'This Idempotency-Key was used by another principal.')
}

/** Recovery point of a call that was rejected for good, without an effect: its error is reported once, then the key is free. */
export const refusedPoint = 'refused'

/** The data recorded with that point, in the transaction that reverts what the call had started. */
export const refusedData = ({ problem, message, extra }: Problem): Readonly<Record<string, unknown>> => ({
  problem,
  detail: message,
  extra,
})

/** The holder died after recording its error and before responding: the caller gets the error now. */
async function sayAgain(request: OnceRequest, { holder, recovery_data }: ClaimRow): Promise<never> {
  await releaseClaim(request.db, request, holder)
  const { problem, detail, extra } = recovery_data as { problem: ProblemName; detail: string; extra: object }
  throw new Problem(problem, detail, { ...extra })
}

/** Recovery points without a durable effect. */
const withoutEffect = new Set(['claimed', 'payment_pending', refusedPoint])

/** True if this attempt has recorded a point with an effect. One that only resumed there may fail for another reason. */
const hasEffect = ({ point, hasMoved }: HeldClaim): boolean => hasMoved && !withoutEffect.has(point)

interface HeldClaim extends Claim {
  /** True if this attempt has recorded a recovery point itself, even the one where the last attempt ended. */
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
      // A transaction that rolls back records nothing.
      tx.afterCommit(() => Object.assign(state, { point, data, hasMoved: true }))
    },
  }
}
