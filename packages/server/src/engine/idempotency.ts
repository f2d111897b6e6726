import { createHash } from 'node:crypto'
import type { ProblemName } from '@swath/contract/problems.ts'
import type { DbConnection, Tx } from '../platform/database/database.ts'
import { Problem } from './problem.ts'
import {
  markIdempotencyClaimCompleted,
  findIdempotencyClaim,
  insertIdempotencyClaim,
  updateIdempotencyCheckpoint,
  releaseIdempotencyClaim,
  renewIdempotencyClaim,
  claimAbandonedIdempotencyKey,
  type IdempotencyClaimRow,
  type StoredIdempotentResponse,
} from './store.idempotency.ts'

/** The claim of a call on its idempotency key. Its transactions record recovery points, so that a killed call resumes there. */
export interface IdempotencyClaim {
  readonly key: string
  /** `claimed` until a transaction of the call has recorded a later recovery point. */
  readonly recoveryPoint: string
  /** Data recorded with the recovery point, such as the id of the order that exists already. */
  readonly recoveryData: Readonly<Record<string, unknown>>
  /** Records a recovery point in the transaction of the effect. */
  checkpoint(tx: Tx, point: string, data: Readonly<Record<string, unknown>>): Promise<void>
}

export interface IdempotentRequest {
  readonly db: DbConnection
  readonly organization: string
  readonly operation: string
  readonly key: string
  /** The principal that sends the key, as `kind:id`. */
  readonly principal: string
  readonly input: unknown
}

/** The holder of a claim that was not renewed for this long is taken to be dead. */
const lease_ms = 15_000
const renew_interval_ms = 5_000
const max_wait_ms = 2_000
const poll_interval_ms = 50

/** JSON with sorted keys: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

const hashInput = (input: unknown): string => createHash('sha256').update(canonicalJson(input)).digest('hex')

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Converts an error to a response that is stored for replay; null if a retry with the same key must run again. */
export type ToStorableError = (error: unknown) => StoredIdempotentResponse | null

/**
 * Runs `work` at most once per (organization, operation, key). The response is stored for 24 hours by the database's clock;
 * a repetition with the same body and principal gets the stored response; another body or principal is
 * `idempotency-conflict`; a duplicate of a running call waits a little, then is `idempotency-in-flight`. An error before any
 * durable effect releases the key; one after it is stored if `toStorableError` returns a response for it. Any other
 * error keeps the recovery point for the next attempt.
 */
export async function runIdempotent(
  request: IdempotentRequest,
  work: (claim: IdempotencyClaim) => Promise<StoredIdempotentResponse>,
  toStorableError: ToStorableError = () => null,
): Promise<StoredIdempotentResponse & { readonly replayed: boolean }> {
  const body_hash = hashInput(request.input)
  const claimRow = await acquireClaim(request, body_hash)
  if (claimRow.response !== null) return { ...claimRow.response, replayed: true }
  if (claimRow.recovery_point === rejectedIdempotencyCheckpoint) await rethrowRecordedError(request, claimRow)
  const claim = createClaim(request, claimRow)
  const renewalTimer = setInterval(
    () => void renewIdempotencyClaim(request.db, request, claimRow.holder).catch(() => {}),
    renew_interval_ms,
  )
  renewalTimer.unref()
  try {
    const response = await work(claim).catch((error: unknown) => {
      const storable = hasDurableEffect(claim) ? toStorableError(error) : null
      if (storable === null) throw error
      return storable
    })
    await markIdempotencyClaimCompleted(request.db, request, claimRow.holder, response)
    return { ...response, replayed: false }
  } catch (error) {
    await releaseIdempotencyClaim(request.db, request, claimRow.holder)
    throw error
  } finally {
    clearInterval(renewalTimer)
  }
}

/** Inserts a claim, takes over an abandoned one, or returns a finished one with its response. */
async function acquireClaim(request: IdempotentRequest, body_hash: string): Promise<IdempotencyClaimRow> {
  for (let waited_ms = 0; ; waited_ms += poll_interval_ms) {
    const acquired =
      (await insertIdempotencyClaim(request.db, request, body_hash, lease_ms)) ??
      (await claimAbandonedIdempotencyKey(request.db, request, body_hash, lease_ms))
    if (acquired) return acquired
    const existing = await findIdempotencyClaim(request.db, request, lease_ms)
    if (existing && existing.body_hash !== body_hash) {
      throw new Problem('idempotency-conflict', 'This Idempotency-Key was used with a different request body.')
    }
    if (existing) requireSamePrincipal(request, existing)
    if (existing?.response) return existing
    if (waited_ms >= max_wait_ms) {
      throw new Problem('idempotency-in-flight', 'The first call with this Idempotency-Key is still running.', {
        retry_after_s: Math.max(1, Math.ceil((existing?.lease_rest_ms ?? 0) / 1000)),
      })
    }
    await sleep(poll_interval_ms)
  }
}

/** Only the principal that got a response may replay it: another one may lack the permission for the call. */
function requireSamePrincipal({ principal }: IdempotentRequest, existing: IdempotencyClaimRow): void {
  const isUnattributed = existing.principal === null && existing.response === null
  if (existing.principal === principal || isUnattributed) return
  throw new Problem('idempotency-conflict', 'This Idempotency-Key was used by another principal.')
}

/** Recovery point of a call that was rejected for good, without an effect: its error is reported once, then the key is free. */
export const rejectedIdempotencyCheckpoint = 'refused'

/** The data recorded with that point, in the transaction that reverts what the call had started. */
export const createRejectedCheckpointData = ({
  problem,
  message,
  extra,
}: Problem): Readonly<Record<string, unknown>> => ({
  problem,
  detail: message,
  extra,
})

/** The holder died after recording its error and before responding: the caller gets the error now. */
async function rethrowRecordedError(
  request: IdempotentRequest,
  { holder, recovery_data }: IdempotencyClaimRow,
): Promise<never> {
  await releaseIdempotencyClaim(request.db, request, holder)
  const { problem, detail, extra } = recovery_data as { problem: ProblemName; detail: string; extra: object }
  throw new Problem(problem, detail, { ...extra })
}

/** Recovery points without a durable effect. */
const checkpointsWithoutEffect = new Set(['claimed', 'payment_pending', rejectedIdempotencyCheckpoint])

/** True if this attempt has recorded a point with an effect. One that only resumed there may fail for another reason. */
const hasDurableEffect = ({ recoveryPoint, hasCheckpointed }: RunningClaim): boolean =>
  hasCheckpointed && !checkpointsWithoutEffect.has(recoveryPoint)

interface RunningClaim extends IdempotencyClaim {
  /** True if this attempt has recorded a recovery point itself, even the one where the last attempt ended. */
  readonly hasCheckpointed: boolean
}

function createClaim(request: IdempotentRequest, claimRow: IdempotencyClaimRow): RunningClaim {
  const state = { point: claimRow.recovery_point, data: claimRow.recovery_data, hasCheckpointed: false }
  return {
    key: request.key,
    get hasCheckpointed() {
      return state.hasCheckpointed
    },
    get recoveryPoint() {
      return state.point
    },
    get recoveryData() {
      return state.data
    },
    checkpoint: async (tx, point, data) => {
      await updateIdempotencyCheckpoint(tx, { key: request, holder: claimRow.holder, point, data })
      // A transaction that rolls back records nothing.
      tx.afterCommit(() => Object.assign(state, { point, data, hasCheckpointed: true }))
    },
  }
}
